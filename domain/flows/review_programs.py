"""What the review steps of codeInfo2 run in a run's folder: Python that needs git and no library.

The programs keep its files below `codeInfoTmp/reviews/`, where its prompts look for them, and out of git.
"""

from shlex import quote

BASE_KEY = "current-review-base"

_HEAD = """\
import json, os, pathlib, subprocess, sys, time

def git(*words):
    done = subprocess.run(["git", *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""

def load(path):
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}

def file(key):
    return folder / (f"{story}-{key}.json" if story else f"{key}.json")

def save(key, value):
    folder.mkdir(parents=True, exist_ok=True)
    ignored = folder.parent / ".gitignore"
    ignored.exists() or ignored.write_text("*\\n")
    file(key).write_text(json.dumps(value, indent=2) + "\\n")

os.chdir(git("rev-parse", "--show-toplevel") or sys.exit("no git repository"))
folder = pathlib.Path("codeInfoTmp/reviews")
plan = load(pathlib.Path("codeInfoStatus/flow-state/current-plan.json"))
name = pathlib.PurePath(str(plan.get("plan_path") or "")).name
story = name.partition("-")[0] if name[:1].isdigit() else ""
"""

_BASE = """
def tip(branch):
    for ref in (f"refs/remotes/origin/{branch}", f"refs/heads/{branch}"):
        commit = git("rev-parse", "-q", "--verify", ref + "^{commit}")
        if commit:
            return ref, commit

def is_in(one, other):
    words = ["git", "merge-base", "--is-ancestor", one, other]
    return subprocess.run(words, capture_output=True).returncode == 0

origin = git("symbolic-ref", "-q", "refs/remotes/origin/HEAD").removeprefix("refs/remotes/origin/")
base = next((each for each in (origin, "main", "master", "develop") if each and tip(each)), "")
parent = str(plan.get("branched_from") or "").removeprefix("refs/heads/").removeprefix("origin/")
if parent and tip(parent) and is_in(tip(parent)[1], "HEAD"):
    if not base or not is_in(tip(parent)[1], tip(base)[1]):
        base = parent
if not base:
    sys.exit("no branch to compare with: there is no origin/HEAD, main, master or develop")
session = f"{story or 'review'}-{time.time_ns()}"
prepared = {
    "story_id": story,
    "plan_path": plan.get("plan_path"),
    "review_session_id": session,
    "review_pass_id": session,
    "branch": git("branch", "--show-current"),
    "head_commit": git("rev-parse", "HEAD"),
    "logical_base_branch": base,
    "comparison_base_ref": tip(base)[0],
    "comparison_base_commit": tip(base)[1],
    "comparison_head_ref": "HEAD",
    "status": "completed",
}
key, *pointers = sys.argv[1:]
for each in pointers:
    save(each, {**prepared, "status": "pending"})
save(key, prepared)
print(json.dumps(prepared))
"""

_RECORD = """
key, base_key = sys.argv[1:]
text = folder / f"{key}.md"
if not text.is_file() or not text.read_text("utf-8").strip():
    sys.exit(f"the reviewer left no review in {text}: resume at this step to ask again")
prepared = load(file(base_key))
if prepared and text.stat().st_mtime_ns < file(base_key).stat().st_mtime_ns:
    sys.exit(f"the review in {text} is of an earlier round: resume at this step to ask again")
save(key, {**prepared, "review_output_file": str(text), "status": "completed"})
print(text.read_text("utf-8").strip())
"""

_VALIDATE = """
fallback, base_key, *keys = sys.argv[1:]
prepared = load(file(base_key))
session = prepared.get("review_session_id") or sys.exit("no review is prepared: use prepareReviewBase")

def missing(pointer, field):
    path = pathlib.Path(str(pointer.get(field) or "-"))
    is_inside = path.resolve().is_relative_to(folder.resolve())
    return not is_inside or not path.is_file() or not path.stat().st_size

def fault(key):
    pointer = load(file(key))
    if not pointer:
        return f"there is no {file(key)}"
    if pointer.get("review_session_id") != session:
        return "it is of another review"
    if pointer.get("status") != "completed":
        return f"its status is {pointer.get('status')}"
    main = key == "current-review"
    fields = ("evidence_file", "findings_file") if main else ("review_output_file",)
    return ", ".join(f"its {field} is missing" for field in fields if missing(pointer, field))

faults = {key: fault(key) for key in keys}
usable = [key for key in keys if not faults[key]]
status = "passed" if len(usable) == len(keys) else "partial" if usable else "blocked"
result = {**prepared, "status": status, "errors": [f"{k}: {v}" for k, v in faults.items() if v]}
if "current-review" not in usable and (fallback == "yes" or (usable and "current-review" in keys)):
    findings = folder / f"{session}-fallback-findings.md"
    findings.write_text("# Review findings\\n\\nThe main review is not available.\\n")
    result["fallback_findings_file"] = str(findings)
    pointer = {**prepared, "evidence_file": None, "findings_file": str(findings)}
    save("current-review", {**pointer, "status": "partial"})
save("current-review-validation", result)
print("\\n".join([f"{key}: {faults[key] or 'passed'}" for key in keys]), status, sep="\\n")
sys.exit(status == "blocked" and "fallback_findings_file" not in result)
"""


def prepare_base(key: str, pointers: tuple[str, ...] = ()) -> str:
    """Return the command that finds the base of a review, and marks those that follow as pending."""
    return _command(_BASE, key, *pointers)


def record_review(key: str) -> str:
    """Return the command that makes a review's text known by its key; it fails where there is none."""
    return _command(_RECORD, key, BASE_KEY)


def validate_reviews(keys: tuple[str, ...], *, has_fallback: bool) -> str:
    """Return the command that checks reviews by their keys; it fails where none can be used."""
    return _command(_VALIDATE, "yes" if has_fallback else "no", BASE_KEY, *keys)


def _command(program: str, *words: str) -> str:
    alone = ("python3", "-I", "-c")  # with no module of the folder
    return " ".join([*alone, quote(_HEAD + program), *map(quote, words)])
