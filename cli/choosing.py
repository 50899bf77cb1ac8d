"""A decision of the plan, asked for on a terminal."""

from cli.client import Client, RefusedError, path_of
from cli.console import messages, plain, say
from domain.plans.plan import Decision
from domain.views import ThreadView


def ask_decision(client: Client, view: ThreadView, decision: Decision) -> None:
    """Show a decision of the plan on the terminal and take the person's choice, if they make one."""
    messages.rule(style="yellow")
    messages.print(plain(decision.question, "bold"))
    for number, option in enumerate(decision.options, 1):
        messages.print(plain(f"  {number}  {option.label}  {option.description}"))
    several = ", several with commas" if decision.multi_select else ""
    while answer := messages.input(f"[bold]number{several}, nothing to leave it open: [/]").strip():
        numbers = [int(part) for part in answer.replace(",", " ").split() if part.isdigit()]
        labels = [o.label for n, o in enumerate(decision.options, 1) if n in numbers]
        if labels:
            path = path_of("threads", view.thread_id, "decisions", decision.id)
            try:
                say(client.post(path, {"selections": labels})["message"])
            except RefusedError as error:
                say(str(error), style="red")
            return
