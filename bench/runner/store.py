"""Finished runs, stored one by one, so that an interrupted comparison continues where it stopped."""

import json

FINISHED = {"finished": True}


class Store:
    """A file with a line of JSON for each run, and a last line after all runs. A record is used again only if the
    round, the run's key, its fingerprint and the machine are the same."""

    def __init__(self, path, machine, fresh=False):
        self.path, self.machine = path, machine
        self.records = {} if fresh else self.read()
        self.resumed = len(self.records)
        self.rewrite()

    def rewrite(self):
        """Reads the complete records; omits an incomplete line, which remains if the machine stopped during a write."""
        new = self.path.with_suffix(".new")
        new.write_text("".join(json.dumps(record) + "\n" for record in self.records.values()))
        new.replace(self.path)

    def read(self):
        """{(key, round, fingerprint): record} of an interrupted comparison; empty after a finished comparison."""
        records = {}
        try:
            lines = self.path.read_text().splitlines()
        except OSError:
            return {}
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if record == FINISHED:
                return {}
            if record["machine"] == self.machine:
                records[record["key"], record["round"], record["fingerprint"]] = record
        return records

    def get(self, key, number, fingerprint):
        return self.records.get((key, number, fingerprint))

    def add(self, record):
        record = {**record, "machine": self.machine}
        self.records[record["key"], record["round"], record["fingerprint"]] = record
        self.append(record)
        return record

    def append(self, line):
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def finish(self):
        self.append(FINISHED)
