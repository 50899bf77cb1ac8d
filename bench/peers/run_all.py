#!/usr/bin/env python3
"""Make each peer's venv, run the workloads in interleaved rounds, print medians and ratios, write JSON.

    run_all.py OUT_DIR [--rounds 3] [--work w1:50,w1:200,w2,w3,w4:1000,w5,w5@1000] [--peers temporal,dbos:wal,...]
               [--ref temporal:child+normal] [--envs DIR] [--python FILE] [--port 7440] [--report-only] [--goal 'w1:200 treadle cpu_ms_per_task <= 1.3']...
               [--minutes 10]

A work item is NAME[:N][@RATE]; a peer is FOLDER[:VARIANT]. Each run is a fresh process on a fresh state dir.
With --minutes it ends by then: what there was no time for is named, and ends it with 1 as any failure does.
A goal compares the median of the same round's ratios to --ref, or, with a number ending in 'abs', the median itself; exit 1 if one fails.
"""

import argparse, json, os, shutil, signal, statistics, subprocess, sys, tempfile, time
from pathlib import Path

LEAST_S = 10  # what the shortest run takes
HERE = Path(__file__).resolve().parent
ALL = "treadle,temporal:child,temporal:child+normal,dbos:sqlite,dbos:wal,langgraph:sync,prefect:poll1,restate:default,floor:fsync"
SHOW = {
    "w1": [
        *("wall_s", "cpu_ms_per_task", "history_bytes_per_task", "root_events_per_task"),
        *("peak_rss_mb", "disk_kb_per_task"),
    ],
    "w2": ["p50_ms", "p99_ms"],
    "w3": ["resume_s", "longest_gap_s", "finish_s", "ran_again", "lost"],
    "w4": [
        "start_s",
        "finish_s",
        "rss_kb_per_run",
        "disk_kb_per_run",
        "start_cpu_s",
        "finish_cpu_s",
    ],
    "w5": ["events", "events_per_s", "p50_ms", "p99_ms", "cpu_s"],
}


def venv(peer, root):
    env, req = root / peer, HERE / peer / "requirements.txt"
    stamp = env / "req.txt"
    if not stamp.exists() or stamp.read_text() != req.read_text():
        uv = os.environ.get("UV") or shutil.which("uv")
        if uv:
            subprocess.run([uv, "venv", "-q", "--allow-existing", env], check=True)
            subprocess.run(
                [uv, "pip", "install", "-q", "--python", env / "bin/python", "-r", req], check=True
            )
        else:
            subprocess.run([sys.executable, "-m", "venv", env], check=True)
            subprocess.run(
                [env / "bin/python", "-m", "pip", "install", "-q", "-r", req], check=True
            )
        if (HERE / peer / "package.json").exists():
            shutil.copy(HERE / peer / "package.json", env / "package.json")
            subprocess.run(
                ["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=env, check=True
            )
        shutil.copy(req, stamp)
    return env


def report(out, ref):
    rows = [json.loads(f.read_text()) for f in sorted(out.glob("*.json"))]
    works = sorted({r["item"] for r in rows})
    for w in works:
        some = [r for r in rows if r["item"] == w]
        cols = SHOW[some[0]["work"]]
        print(f"\n{w}   (median of rounds; x = median of the same round's ratio to {ref})")
        print(f"{'peer':24}{'rounds':>7}" + "".join(f"{c:>24}" for c in cols))
        for who in sorted({r["who"] for r in some}):
            mine = [r for r in some if r["who"] == who]
            ok = [r for r in mine if "error" not in r and "na" not in r]
            if not ok:
                print(f"{who:24}{len(mine):>7}  {mine[0].get('error', 'n/a')[:90]}")
                continue
            line = f"{who:24}{len(ok):>7}"
            for c in cols:
                ratios = []
                for r in ok:
                    base = [
                        b for b in some if b["who"] == ref and b["round"] == r["round"] and b.get(c)
                    ]
                    if base and r.get(c) is not None:
                        ratios.append(r[c] / base[0][c])
                x = f" {statistics.median(ratios):.2f}x" if ratios and who != ref else ""
                known = [r[c] for r in ok if r.get(c) is not None]
                line += f"{statistics.median(known):>16.2f}{x:>8}" if known else f"{'-':>24}"
            print(line)
    slope(rows)


def slope(rows):
    """Print how the cost of a task grows with their number: CPU at a size against CPU at the size before."""
    sizes = sorted({int(r["item"][3:]) for r in rows if r["item"].startswith("w1:")})
    if len(sizes) < 2:
        return
    print("\nw1, CPU a task against the size before (1.00 is linear)")
    for who in sorted({r["who"] for r in rows}):
        costs = {}
        for r in rows:
            if r["who"] == who and r["item"].startswith("w1:") and r.get("cpu_ms_per_task"):
                costs.setdefault(int(r["item"][3:]), []).append(r["cpu_ms_per_task"])
        known = [n for n in sizes if n in costs]
        steps = [
            f"{small} to {large}: {statistics.median(costs[large]) / statistics.median(costs[small]):.2f}"
            for small, large in zip(known, known[1:])
        ]
        if steps:
            print(f"{who:24}" + "   ".join(steps))


def failed(out):
    """Name what came to no figure, such as a workload that is refused."""
    rows = [json.loads(f.read_text()) for f in sorted(out.glob("*.json"))]
    bad = [r for r in rows if "error" in r]
    for r in bad:
        print(f"NO FIGURE {r['item']} {r['who']} round {r['round']}: {r['error']}")
    return len(bad)


def goals(out, ref, wanted):
    rows, bad = [json.loads(f.read_text()) for f in out.glob("*.json")], 0
    for g in wanted:
        item, who, col, op, bound = g.split()
        mine = [r for r in rows if r["item"] == item and r["who"] == who and r.get(col) is not None]
        base = {
            r["round"]: r[col] for r in rows if r["item"] == item and r["who"] == ref and r.get(col)
        }
        plain = bound.endswith("abs")
        xs = (
            [r[col] for r in mine]
            if plain
            else [r[col] / base[r["round"]] for r in mine if r["round"] in base]
        )
        x, b = statistics.median(xs) if xs else None, float(bound.removesuffix("abs"))
        ok = x is not None and (x <= b if op == "<=" else x >= b)
        bad += not ok
        print(
            f"{'holds' if ok else 'FAILS':6} {g}: {'no runs' if x is None else format(x, '.3g')}{'' if plain else ' x ' + ref} over {len(xs)} rounds"
        )
    return bad


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("out", type=Path)
    ap.add_argument("--rounds", type=int, default=3)
    ap.add_argument("--first-round", type=int, default=1)
    ap.add_argument("--work", default="w1:50,w1:200,w2,w3,w4:1000,w5,w5@1000")
    ap.add_argument("--peers", default=ALL)
    ap.add_argument("--ref", default="temporal:child+normal")
    ap.add_argument("--envs", type=Path, default=Path(tempfile.gettempdir()) / "peer-envs")
    ap.add_argument(
        "--python",
        type=Path,
        help="run every peer with this interpreter, which has what they need, instead of a venv each",
    )
    ap.add_argument("--port", type=int, default=7440)
    ap.add_argument("--timeout", type=int, default=900)
    ap.add_argument("--count", type=int, help="approvals of w2")
    ap.add_argument("--minutes", type=float, help="end by then")
    ap.add_argument("--report-only", action="store_true")
    ap.add_argument("--goal", action="append", default=[])
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    if not a.report_only:
        measure(a)
    report(a.out, a.ref)
    if failed(a.out) + goals(a.out, a.ref, a.goal):
        sys.exit(1)


def unmeasured(work, who, item, rnd, minutes):
    return {
        **{"who": who, "item": item, "round": rnd, "work": work},
        "error": f"no time was left of {minutes:g} minutes",
    }


def measure(a):
    peers = a.peers.split(",")
    envs = {
        p: a.python.absolute().parent.parent if a.python else venv(p, a.envs.resolve())
        for p in {p.split(":")[0] for p in peers}
    }
    k, running = 0, []
    ends = time.time() + 60 * a.minutes if a.minutes else None
    signal.signal(signal.SIGTERM, lambda *_: ([p.terminate() for p in running], sys.exit(143)))
    for rnd in range(a.first_round, a.first_round + a.rounds):
        for item in a.work.split(","):
            name, _, rate = item.partition("@")
            work, _, n = name.partition(":")
            order = peers[rnd % len(peers) :] + peers[: rnd % len(peers)]
            for who in order:
                peer, _, variant = who.partition(":")
                dst = (
                    a.out
                    / f"{item.replace(':', '-').replace('@', '-r')}.{who.replace(':', '-')}.{rnd}.json"
                )
                if dst.exists():
                    continue
                k += 1
                state = tempfile.mkdtemp(prefix="peer-")
                os.chmod(state, 0o755)
                cmd = [
                    str(envs[peer] / "bin/python"),
                    str(HERE / peer / "bench.py"),
                    work,
                    "--state",
                    state,
                    "--variant",
                    variant,
                    "--port",
                    str(a.port + (k % 9) * 6),
                    "--json",
                    str(dst),
                ]
                cmd += ["--n", n] if n else []
                cmd += ["--rate", rate, "--count", "5000"] if rate else []
                cmd += ["--count", str(a.count)] if a.count and work == "w2" else []
                t0 = time.time()
                left = a.timeout if ends is None else min(a.timeout, ends - t0)
                if left < LEAST_S:
                    dst.write_text(json.dumps(unmeasured(work, who, item, rnd, a.minutes)))
                    continue
                p = subprocess.Popen(
                    cmd,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                    env={
                        **os.environ,
                        "PEER_NODE": str(envs[peer]),
                        "PYTHONDONTWRITEBYTECODE": "1",
                    },
                )
                running[:] = [p]
                try:
                    err = p.communicate(timeout=left)[1]
                except subprocess.TimeoutExpired:
                    p.terminate()
                    try:
                        err = p.communicate(timeout=30)[1]
                    except subprocess.TimeoutExpired:
                        p.kill()
                        err = ""  # what it started may hold its pipe open
                        p.stderr.close()
                        p.wait()
                    err += f"\nover {left:.0f} s"
                got = (
                    json.loads(dst.read_text())
                    if dst.exists()
                    else {"work": work, "error": (err.strip().splitlines() or ["no output"])[-1]}
                )
                dst.write_text(
                    json.dumps({"who": who, "item": item, "round": rnd, **got}, indent=1)
                )
                if "error" not in got:  # its message names the logs that lie there
                    shutil.rmtree(state, ignore_errors=True)
                print(
                    f"{time.strftime('%H:%M:%S')} round {rnd} {item} {who} {time.time() - t0:.0f} s {got.get('error', '')}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
