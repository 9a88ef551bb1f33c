#!/usr/bin/env python3
"""Lets `cn emit --watch` run for a long time while its store is edited in every way, and looks at what is left.

usage: soak.py --cn PATH [--seconds 3600] [--prompts 200] [--seed 1]

Every 50 to 500 ms a file is saved, the way some editor, shell or version control does it. At the end each emitted file
must be what the store renders to, and memory, descriptors and processor time must not have grown with the number of
edits. Needs Linux and nothing but Python.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# Versions of a prompt that stay in the store: what was emitted must be one of them, else it is nobody's.
KEPT = 8
TICKS = os.sysconf("SC_CLK_TCK")
CONFIG = "project: soak\nversion: \"1\"\ntargets:\n  agents:\n    dir: {}\n    default: true\n"


class Project:
    """A store in a folder of its own, and the ways to change it."""

    def __init__(self, root, prompts):
        self.root, self.edits, self.breaks = root, 0, 0
        self.store, self.config = root / ".canopy/prompts.jsonl", root / ".canopy/config.yaml"
        self.store.parent.mkdir()
        self.config.write_text(CONFIG.format("agents"))
        self.records = [[self.record(f"p{number}", 1, "first")] for number in range(prompts)]
        self.store.write_text(self.text())

    def text(self):
        return "".join(line for lines in self.records for line in lines)

    def edit(self):
        """One more version of some prompt; old ones go, so that the store does not grow and builds stay comparable."""
        self.edits += 1
        number = random.randrange(len(self.records))
        line = self.record(f"p{number}", self.edits + 1, f"edit {self.edits}")
        self.records[number] = self.records[number][-KEPT:] + [line]
        return line

    @staticmethod
    def record(name, version, text):
        body = f"{text} " * 20
        return json.dumps({"id": f"id-{name}", "name": name, "version": version, "status": "active",
                           "sections": [{"name": "role", "body": body}]}) + "\n"

    def next(self):
        self.edit()
        return self.text()

    def atomic(self):
        self.replace(self.store, self.next())

    def backup(self):
        old = self.store.with_suffix(".jsonl~")
        text = self.next()
        self.store.rename(old)
        self.store.write_text(text)
        old.unlink()

    def safe_write(self):
        text, old = self.next(), self.store.with_suffix(".old")
        self.store.with_suffix(".new").write_text(text)
        self.store.rename(old)
        self.store.with_suffix(".new").rename(self.store)
        old.unlink()

    def two_steps(self):
        text = self.next()
        with open(self.store, "w") as file:
            file.write(text[: len(text) // 2])
            file.flush()
            time.sleep(random.choice([0, 0.005, 0.02]))
            file.write(text[len(text) // 2:])

    def append(self):
        line = self.edit()
        with open(self.store, "a") as file:
            file.write(line)

    def touch(self):
        os.utime(self.store)

    def target(self):
        self.replace(self.config, CONFIG.format(random.choice(["agents", "other", "deep/er"])))

    def checkout(self):
        folder = self.root / "src"
        shutil.rmtree(folder, ignore_errors=True)
        for number in range(300):
            path = folder / str(number % 7) / f"{number}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")
        for _ in range(20):
            text = self.next()
        self.store.unlink()
        self.store.write_text(text)

    def folder(self):
        text = self.next()
        aside = self.root / "canopy-aside"
        self.store.parent.rename(aside)
        self.store.parent.mkdir()
        self.config.write_text((aside / "config.yaml").read_text())
        self.store.write_text(text)
        shutil.rmtree(aside)

    def conflict(self):
        self.breaks += 1
        self.replace(self.store, "<<<<<<< ours\n" + self.text())

    def noise(self):
        git = self.root / ".git"
        git.mkdir(exist_ok=True)
        for number in range(30):
            (git / f"index.{number}").write_text("x")
            (git / f"index.{number}").rename(git / "index")

    @staticmethod
    def replace(path, text):
        beside = path.with_name(path.name + ".beside")
        beside.write_text(text)
        beside.rename(path)


def measured(pid):
    """Resident memory in KiB, descriptors, threads, and processor time in seconds."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    field = lambda name: int(next(line for line in status.splitlines() if line.startswith(name)).split()[1])
    stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return {"rss KiB": field("VmRSS:"), "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
            "threads": field("Threads:"), "cpu s": (int(stat[11]) + int(stat[12])) / TICKS}


def wait_for(test, limit=30):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if test():
            return True
        time.sleep(0.01)
    return False


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--cn", required=True)
    ap.add_argument("--seconds", type=float, default=3600)
    ap.add_argument("--prompts", type=int, default=200)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    random.seed(a.seed)
    cn = str(pathlib.Path(shutil.which(a.cn) or a.cn).resolve())
    root = pathlib.Path(tempfile.mkdtemp(prefix="cn-soak-"))
    project = Project(root, a.prompts)
    watch = subprocess.Popen([cn, "emit", "--all", "--watch", "--prune", "--json"], cwd=root, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)
    seen, last_error = {}, []

    def listen():
        for line in watch.stdout:
            event = json.loads(line)
            seen[event["event"]] = seen.get(event["event"], 0) + 1
            if event["event"] == "error":
                last_error[:] = [event["problems"][0]["message"]]

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    bad = []
    if not wait_for(lambda: "ready" in seen):
        bad.append("it is not ready")
    kinds = [project.atomic, project.backup, project.safe_write, project.two_steps, project.append, project.touch,
             project.target, project.checkout, project.folder, project.conflict, project.noise]
    for kind in kinds * 2:
        kind()
        time.sleep(0.1)
    start, begun, errors = measured(watch.pid), time.monotonic(), seen.get("error", 0)
    project.breaks = 0
    while time.monotonic() - begun < a.seconds and watch.poll() is None:
        random.choice(kinds)()
        time.sleep(random.uniform(0.05, 0.5))
    project.replace(project.config, CONFIG.format("agents"))
    project.atomic()
    text = f"edit {project.edits} "
    if not wait_for(lambda: any(text in path.read_text() for path in (root / "agents").glob("*.md"))):
        bad.append(f"the last edit never arrived; the last error: {last_error}")
    check = lambda: subprocess.run([cn, "emit", "--check"], cwd=root, capture_output=True, text=True)
    # The last build may still be at it.
    if not wait_for(lambda: check().returncode == 0):
        bad.append(f"what is there is not what the store renders to: {check().stdout[:300]}")
    end, errors = measured(watch.pid), seen.get("error", 0) - errors
    time.sleep(1)
    before = measured(watch.pid)["cpu s"]
    time.sleep(5)
    idle = measured(watch.pid)["cpu s"] - before
    watch.send_signal(signal.SIGINT)
    status = watch.wait(10)
    listener.join(10)
    left = [str(path.relative_to(root)) for path in root.rglob("*") if path.name.endswith((".tmp", ".lock"))]
    print(f"{a.seconds:.0f} s, {project.edits} edits, events {seen}, status {status}")
    for name in start:
        print(f"{name:12} {start[name]:10} -> {end[name]:10}")
    print(f"idle for 5 s: {idle:.2f} s of processor time; this script's own: {sum(resource.getrusage(0)[:2]):.0f} s")
    if errors > 2 * project.breaks:
        bad.append(f"{errors} errors for {project.breaks} broken stores; the last: {last_error}")
    if end["descriptors"] > start["descriptors"] or end["threads"] > start["threads"]:
        bad.append("descriptors or threads are left open")
    if end["rss KiB"] > start["rss KiB"] * 1.5:
        bad.append("memory grows")
    if idle > 0.05:
        bad.append("it does not rest")
    if status != 130 or left:
        bad.append(f"it ended with {status} and left {left}")
    for message in bad:
        print("FAIL", message)
    shutil.rmtree(root, ignore_errors=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
