"""The queries and mutations that are sent to GitHub's GraphQL."""

_AUTHOR = "author { __typename login ... on User { databaseId } ... on Bot { databaseId } }"
_PAGE = "pageInfo { hasNextPage endCursor }"
_COMMENT = f"databaseId body url createdAt lastEditedAt {_AUTHOR}"
THREADS = f"""query($owner: String!, $name: String!, $number: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{ pullRequest(number: $number) {{
    mergeQueueEntry {{ id }}
    reviewThreads(first: 100, after: $after) {{
      {_PAGE}
      nodes {{ id path line isResolved comments(first: 100) {{ {_PAGE} nodes {{ {_COMMENT} }} }} }}
    }} }} }} }}"""
MORE = f"""query($thread: ID!, $after: String) {{ node(id: $thread) {{ ... on PullRequestReviewThread {{
  comments(first: 100, after: $after) {{ {_PAGE} nodes {{ {_COMMENT} }} }} }} }} }}"""
QUEUED = """query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { mergeQueueEntry { id } } } }"""
VIEWER = "query { viewer { databaseId login } }"
RESOLVE = """mutation($thread: ID!) {
  resolveReviewThread(input: {threadId: $thread}) { thread { id } } }"""
ENABLE = """mutation($id: ID!, $commit: GitObjectID!, $method: PullRequestMergeMethod!, $title: String) {
  enablePullRequestAutoMerge(input: {pullRequestId: $id, expectedHeadOid: $commit, mergeMethod: $method,
    commitHeadline: $title}) { clientMutationId } }"""
DISABLE = """mutation($id: ID!) {
  disablePullRequestAutoMerge(input: {pullRequestId: $id}) { clientMutationId } }"""
ENQUEUE = """mutation($id: ID!, $commit: GitObjectID!) {
  enqueuePullRequest(input: {pullRequestId: $id, expectedHeadOid: $commit}) { clientMutationId } }"""
DEQUEUE = """mutation($id: ID!) { dequeuePullRequest(input: {id: $id}) { clientMutationId } }"""
