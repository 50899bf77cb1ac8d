"""What Linear is asked, in GraphQL."""

_USER = "{ id displayName active guest app }"
_PAGE = "pageInfo { hasNextPage endCursor }"
_FIELDS = f"""
  id identifier url title description createdAt updatedAt trashed
  state {{ type }} creator {_USER} assignee {_USER}
  labels(first: 50) {{ nodes {{ name }} }}
"""
ISSUES = f"""
query TreadleIssues($filter: IssueFilter, $after: String) {{
  issues(filter: $filter, first: 50, after: $after, sort: [{{ updatedAt: {{ order: Ascending }} }}]) {{
    nodes {{ {_FIELDS} }} {_PAGE}
  }}
}}
"""
ISSUE = f"""
query TreadleIssue($id: String!) {{
  issue(id: $id) {{
    {_FIELDS} team {{ states(first: 50) {{ nodes {{ id type position }} }} }}
  }}
}}
"""
HISTORY = f"""
query TreadleHistory($id: String!, $after: String) {{
  issue(id: $id) {{
    history(first: 50, after: $after) {{
      nodes {{ createdAt actor {_USER} addedLabels {{ name }} }} {_PAGE}
    }}
  }}
}}
"""
COMMENTS = f"""
query TreadleComments($id: String!, $after: String) {{
  issue(id: $id) {{
    comments(first: 50, after: $after) {{
      nodes {{ id body url createdAt editedAt user {_USER} }} {_PAGE}
    }}
  }}
}}
"""
FIND_COMMENT = """
query TreadleComment($id: ID!) {
  comments(filter: { id: { eq: $id } }, first: 1) { nodes { id body } }
}
"""
ADD_COMMENT = """
mutation TreadleAddComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success }
}
"""
EDIT_COMMENT = """
mutation TreadleEditComment($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success }
}
"""
CLOSE = """
mutation TreadleClose($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}
"""
