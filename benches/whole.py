#!/usr/bin/env python3
"""Times the whole program beside the same work done by other means, in turn, and prints medians as a table.

usage: whole.py --cn PATH [--prompts 20 1000 10000] [--runs 9]

  nothing to do   `cn emit --all`             beside `git status` over the same files
  check           `cn emit --check`           beside the same
  all anew        `cn emit --all`, no file    beside `cp -r` of the files
  one changed     `cn emit --all`, a version  beside `cp` of the store
                  appended that 8 build on
  update          `cn update`                 beside `cp` of the store
  long history    `cn emit --all --no-cache`  beside `wc -l` of a store of 100 prompts in 1,000 versions

Where hyperfine is installed it takes the times, one command after the other; else this script does, in turn. Needs
nothing but Python and git.
"""
import argparse
import itertools
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

CONFIG = 'project: bench\nversion: "1"\ntargets:\n  agents:\n    dir: agents\n    default: true\n'
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def record(number, version, prompts):
    tenth = max(1, prompts // 10)
    own = f"- Prompt {number} says in version {version} what is to be done, and in which order.\n"
    kind = number // tenth
    prompt = {"id": f"bench-{number:04x}", "name": f"p{number}", "version": version, "tags": ["agent"]}
    names = ["role", "workflow", "limits", "tone", "report"] if kind == 0 else ["role", f"own-{number % 5}"]
    prompt["sections"] = [{"name": name, "body": own * 8} for name in names]
    if kind > 1:
        prompt["extends"], prompt["mixins"] = f"p{number % tenth}", [f"p{tenth + number % tenth}"]
    prompt.update(frontmatter={"model": "opus"}, status="active")
    return json.dumps(prompt, separators=(",", ":"))


def project(root, prompts, versions=3):
    (root / ".canopy").mkdir()
    lines = [record(number, version + 1, prompts) for version in range(versions) for number in range(prompts)]
    (root / ".canopy/prompts.jsonl").write_text("\n".join(lines) + "\n")
    (root / ".canopy/config.yaml").write_text(CONFIG)


def once(command, root, prepare):
    if prepare:
        prepare()
    start = time.perf_counter()
    subprocess.run(command, cwd=root, check=True, **QUIET)
    return time.perf_counter() - start


def hyperfine(commands, root, prepares, runs):
    times = []
    for command, prepare in zip(commands, prepares):
        if prepare:  # It would have to be a command of a shell.
            return None
        with tempfile.NamedTemporaryFile() as out:
            line = subprocess.list2cmdline(command)
            call = ["hyperfine", "-N", "-w", "1", "-r", str(runs), "--export-json", out.name, line]
            subprocess.run(call, cwd=root, check=True, **QUIET)
            times.append(json.load(open(out.name))["results"][0]["times"])
    return times


def pair(label, commands, root, runs, prepares=(None, None)):
    times = hyperfine(commands, root, prepares, runs) if shutil.which("hyperfine") else None
    if times is None:
        rounds = [[once(*each) for each in zip(commands, [root, root], prepares)] for _ in range(runs + 1)]
        times = list(zip(*rounds[1:]))
    ours, others = (statistics.median(each) * 1000 for each in times)
    ratio = statistics.median(a / b for a, b in zip(*times))
    print(f"| {label:22} | {ours:8.1f} ms | {others:8.1f} ms | {ratio:5.2f} |")


def git(root, *words):
    subprocess.run(["git", "-c", "user.name=b", "-c", "user.email=b@b", *words], cwd=root, check=True, **QUIET)


def measure(cn, prompts, runs):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "project")
        root.mkdir()
        project(root, prompts)
        git(root, "init")
        emit, status = [cn, "emit", "--all"], ["git", "status", "--porcelain"]
        once(emit, root, None)
        git(root, "add", "-A")
        git(root, "commit", "-m", "all")
        time.sleep(1.1)  # So that neither takes the files for too young to be trusted.
        once(status, root, None)
        once(emit, root, None)
        many = f"{prompts:,}"
        pair(f"nothing to do, {many}", [emit, status], root, runs)
        pair(f"check, {many}", [[cn, "emit", "--check"], status], root, runs)
        kept, copy = root.parent / "kept", root.parent / "copy"
        shutil.copytree(root / "agents", kept)

        def anew():
            shutil.rmtree(root / "agents")
            shutil.rmtree(root / ".canopy/cache", ignore_errors=True)

        clear = lambda: shutil.rmtree(copy, ignore_errors=True)
        pair(f"all anew, {many}", [emit, ["cp", "-r", str(kept), str(copy)]], root, min(runs, 5), (anew, clear))
        store = root / ".canopy/prompts.jsonl"
        copied = ["cp", str(store), str(root.parent / "store")]
        versions = itertools.count(4)

        def changed():
            with store.open("a") as file:
                file.write(record(0, next(versions), prompts) + "\n")

        pair(f"one changed, {many}", [emit, copied], root, runs, (changed, None))
        update = [cn, "update", "p0", "--description", "x"]
        pair(f"update, {many}", [update, copied], root, runs)


def history(cn, runs):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        project(root, 100, 1000)
        once([cn, "emit", "--all"], root, None)
        store = str(root / ".canopy/prompts.jsonl")
        pair("long history", [[cn, "emit", "--all", "--no-cache"], ["wc", "-l", store]], root, runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cn", required=True)
    parser.add_argument("--prompts", type=int, nargs="*", default=[20, 1000, 10000])
    parser.add_argument("--runs", type=int, default=9)
    typed = parser.parse_args()
    cn = str(pathlib.Path(typed.cn).resolve())
    print(f"| {'work, prompts':22} | {'cn':>11} | {'the other':>11} | ratio |\n|{'-' * 24}|{'-' * 13}|{'-' * 13}|{'-' * 7}|")
    for prompts in typed.prompts:
        measure(cn, prompts, typed.runs)
    history(cn, typed.runs)


if __name__ == "__main__":
    main()
