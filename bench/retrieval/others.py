"""The same files and queries through SQLite's FTS5 and bm25s. Prints one JSON document; times are this process' own CPU."""

import json
import re
import sqlite3
import subprocess
import sys
import time

import bm25s

request = json.load(open(sys.argv[1]))
listing = ("\n".join(request["blobs"]) + "\n").encode()
out = subprocess.run(["git", "cat-file", "--batch", "--buffer"], cwd=request["clone"], input=listing, stdout=subprocess.PIPE, check=True).stdout
texts = []
at = 0
for _ in request["blobs"]:
    end = out.index(b"\n", at)
    size = int(out[at:end].split()[2])
    texts.append(out[end + 1 : end + 1 + size].decode("utf8", "replace"))
    at = end + 1 + size + 1
del out


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def cpu_ms(work):
    begin = time.process_time()
    value = work()
    return value, (time.process_time() - begin) * 1000


results = {"sqlite": float(".".join(sqlite3.sqlite_version.split(".")[:2])), "others_megabytes": sum(map(len, texts)) / 1e6}

database = sqlite3.connect(":memory:")
database.execute("create virtual table files using fts5(content, content='', tokenize=\"unicode61 tokenchars '_'\")")


def build_fts5():
    database.executemany("insert into files(rowid, content) values (?, ?)", enumerate(texts, 1))
    database.commit()


_, results["fts5BuildCpuMs"] = cpu_ms(build_fts5)
words = [list(dict.fromkeys(re.findall(r"\w{2,}", query.lower()))) for query in request["queries"]]
times = []
for query in words:
    match = " OR ".join(f'"{word}"' for word in query)
    sql = "select rowid from files where files match ? order by bm25(files) limit 100"
    _, spent = cpu_ms(lambda: database.execute(sql, (match,)).fetchall())
    times.append(spent)
results["fts5QueryP50Ms"] = percentile(times, 0.5)
results["fts5QueryP95Ms"] = percentile(times, 0.95)
database.close()


def build_bm25s():
    tokens = bm25s.tokenize(texts, stopwords=None, show_progress=False)
    model = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    model.index(tokens, show_progress=False)
    return model


model, results["bm25sBuildCpuMs"] = cpu_ms(build_bm25s)
times = []
for query in request["queries"]:
    tokens = bm25s.tokenize([query], stopwords=None, show_progress=False, return_ids=False)
    _, spent = cpu_ms(lambda: model.retrieve(tokens, k=min(100, len(texts)), show_progress=False))
    times.append(spent)
results["bm25sQueryP50Ms"] = percentile(times, 0.5)
results["bm25sQueryP95Ms"] = percentile(times, 0.95)
print(json.dumps(results))
