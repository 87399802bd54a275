"""Finished runs, stored one by one, so that an interrupted comparison continues where it stopped."""

import json


class Store:
    """A file with a line of JSON for each run of an interrupted comparison. A record is used again only if the round,
    the run's key, its fingerprint and the machine are the same."""

    def __init__(self, path, machine, fresh=False):
        self.path, self.machine, self.used = path, machine, set()
        self.records = {} if fresh else self.read()
        self.resumed = len(self.records)
        self.rewrite()

    def rewrite(self):
        """Omits an incomplete line, which remains if the machine stopped during a write."""
        new = self.path.with_suffix(".new")
        new.write_text("".join(json.dumps(record) + "\n" for record in self.records.values()))
        new.replace(self.path)

    def read(self):
        """{(key, round, fingerprint): record} of an interrupted comparison."""
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
            if record.get("machine") == self.machine:
                records[record["key"], record["round"], record["fingerprint"]] = record
        return records

    def get(self, *id):
        self.used.add(id)
        return self.records.get(id)

    def add(self, record):
        record = {**record, "machine": self.machine}
        id = record["key"], record["round"], record["fingerprint"]
        self.used.add(id)
        self.records[id] = record
        with self.path.open("a") as file:
            file.write(json.dumps(record) + "\n")
        return record

    def finish(self):
        """Keeps only the runs of a larger comparison that was interrupted before this one, not those of an earlier
        build."""
        used = {id[:2] for id in self.used}
        self.records = {id: record for id, record in self.records.items() if id[:2] not in used}
        self.rewrite()
