"""The page of a comparison: one self-contained file of HTML."""

from html import escape
from pathlib import Path

import charts
import glance
import words
from execute import is_busy, machine_line
from model import PAPERS, SECTIONS
from tables import by_section, measured, parts_of, rows_of

HERE = Path(__file__).resolve().parent
VERDICT_CLASS = {"holds": "holds", "does not hold here": "not", "not measured": "unknown"}


def busy_note(results):
    """The remark at the top if other programs ran on the machine, before or meanwhile."""
    machine = results["machine"]
    if not is_busy(machine):
        return ""
    return (f"<p class=busy><b>The machine was busy.</b> Load average {machine['load_average_at_start']:.1f} before "
            f"the measurement, and {machine.get('others', 0):.1f} other tasks on average while it ran: figures are "
            "noisy, ratios less so, and verdicts may change on an idle machine.</p>")


def header(results):
    links = "".join(f'<a href="#section-{section}">{escape(title)}</a>' for section, title in SECTIONS.items()
                    if any(figure["section"] == section for figure in results["figures"]))
    quick = " A quick run: few rounds, few sizes." if results["quick"] else ""
    versions = ", ".join(dict.fromkeys(results["versions"].values()))
    counted = "".join(f"<li>{escape(line)}</li>" for line in words.summary_lines(results))
    return (f"<header><h1>Copal beside its peers</h1><p class=lead>Benchmarks and applications for OpenSHMEM and "
            f"coarrays, the figures of five papers among them, on one machine: the same programs, built for each "
            f"implementation, run in turns, every answer checked. {escape(machine_line(results['machine']))}; "
            f"{escape(versions)}; jobs on {results['cores']} core{'s' if results['cores'] > 1 else ''}.{quick}</p>"
            f"{busy_note(results)}<ul class=counts>{counted}</ul><p class=text>In the plots, dashed lines are the "
            "floor: bare processes or sockets that do the same. Thin lines are Copal with a given plan, algorithm or "
            f"compiler. Vertical lines reach from the minimum to the maximum.</p><nav>{links}</nav></header>")


def parts_list(headline):
    """The figures of a verdict."""
    items = "".join(f'<li class="{VERDICT_CLASS[part["verdict"]]}">'
                    f'<a href="#{escape(part["figure"])}">{escape(text)}</a>'
                    for part, text in zip(headline["parts"], parts_of(headline)))
    return f"<ul class=parts>{items}</ul>"


def headlines(results):
    if not results["headlines"]:
        return ""
    rows, paper = [], None
    busy = "<small>on a busy machine</small>" if is_busy(results["machine"]) else ""
    for headline in results["headlines"]:
        if headline["paper"] != paper:
            paper = headline["paper"]
            rows.append(f"<tr class=paper><th colspan=4>{escape(PAPERS[paper])}</th></tr>")
        kind = VERDICT_CLASS[headline["verdict"]]
        rows.append(f"<tr><td>{escape(headline['claim'])}</td>"
                    f"<td><span class='verdict {kind}'>{headline['verdict']}</span>{busy}</td>"
                    f"<td>{parts_list(headline)}</td><td class=why>{escape(headline['why'])}</td></tr>")
        if headline.get("emulated"):
            rows.append(second_row(headline["emulated"]))
    return ("<section><h2>The claims of the papers, and the verdicts here</h2><table "
            "class=headlines><thead><tr><th>the claim<th>here<th>measured<th>why</tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>{networks(results)}</section>")


def second_row(emulated):
    """The second verdict of a headline, below the first."""
    kind = {"holds emulated": "holds", "does not": "not"}.get(emulated["verdict"], "unknown")
    return (f"<tr class=second><td>emulated</td><td><span class='verdict {kind}'>{escape(emulated['verdict'])}</span>"
            f"</td><td>{parts_list(emulated)}</td><td class=why>{escape(emulated['why'])}</td></tr>")


def networks(results):
    """The emulated networks with their parameters."""
    items = "".join(f"<li><b>{escape(name)}</b>: {escape(parameters)}</li>"
                    for name, parameters in results.get("fabrics", {}).items())
    return (f"<p class=text>Emulated: the library and the programs are unchanged, and all PEs run on this machine; the "
            f"network between the nodes, and time, are a model. The networks:</p><ul class=notes>{items}</ul>"
            if items else "")


def overview(results):
    drawing = glance.draw(results["figures"])
    if not drawing:
        return ""
    return ("<section><h2>All at a glance</h2><p class=text>How many times better than the best peer Copal is: the dot "
            "is the geometric mean over a figure's points, the line reaches from the worst to the best. Right of "
            "1x, Copal is ahead; red figures are behind.</p>"
            f'<div class="glance">{drawing}</div></section>')


def table(figure):
    head, rows = rows_of(figure)
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f"<div class=scroll><table><tr>{names}</tr>{cells}</table></div>"


def commands(figure):
    lines = ["\n".join([f"# {curve['label']}", *curve["commands"]]) for curve in figure["curves"] if curve["commands"]]
    return f"<pre>{escape(chr(10).join(lines))}</pre>" if lines else ""


def card(figure, networks=None):
    svg, legend = charts.draw(figure)
    mean = figure["peer"]["mean"] if figure["judged"] and figure["peer"] else None
    kind = "" if mean is None else "ahead" if mean >= 1 else "behind"
    missing = [curve["label"] for curve in figure["curves"] if not curve["points"]]
    left_out = f"<p class=text>Not measured here: {escape(', '.join(missing))}.</p>" if missing else ""
    body = f'{legend}<div class="frame">{svg}</div><p class="finding {kind}">{escape(words.finding(figure))}</p>'
    missed = "".join(f"<p class=text>{escape(text)}</p>" for text in (*words.missed(figure), *words.unsteady(figure)))
    details = f"<details><summary>Medians and commands</summary>{table(figure)}{commands(figure)}</details>"
    text = f"<p class=text>{escape(figure['text'])}</p>" if figure["text"] else ""
    for name in figure.get("fabrics", ()):
        text += f"<p class=text>Parameters of {escape(name)}: {escape((networks or {}).get(name, ''))}.</p>"
    like = "; ".join([f"corresponds to {figure['like']}"] * bool(figure["like"])
                     + [f"{figure['better']} is better"] * bool(figure["better"]))
    return (f'<article class="card" id="{escape(figure["id"])}"><h3>{escape(figure["title"])}</h3>'
            f"<p class=like>{escape(like)}</p>{body}{text}{missed}{left_out}{details}</article>")


def sections(results):
    of_title = {title: section for section, title in SECTIONS.items()}
    for title, figures in by_section(results["figures"]):
        missing = "; ".join(figure["title"] for figure in figures if not measured(figure))
        cards = [card(figure, results.get("fabrics")) for figure in figures if measured(figure)]
        left_out = f"<p class=text>Not measured in this run: {escape(missing)}.</p>" if missing else ""
        yield (f'<section><h2 id="section-{of_title[title]}">{escape(title)}</h2>'
               f'<div class="cards">{"".join(cards)}</div>{left_out}</section>')


def footer(results):
    machine = results["machine"]
    problems = "".join(f"<p class=problem>Problem: {escape(text)}</p>" for text in results["problems"])
    notes = "".join(f"<li>{escape(text)}</li>" for text in results["notes"])
    notes = f"<h2>Notes</h2><ul class=notes>{notes}</ul>" if notes else ""
    versions = "".join(f"<tr><td>{escape(words.SIDE_TITLES[name])}<td style='text-align:left'>{escape(version)}</tr>"
                       for name, version in results["versions"].items())
    return (f"<footer>{problems}{notes}<h2>How it was measured</h2><p>Medians of up to {results['rounds']} rounds, in "
            "which the implementations take turns; the thin vertical lines in the plots reach from their "
            "minimum to their maximum. If there are more PEs than cores, PEs share cores. "
            f"{escape(machine['cpu'])}, {machine['cores']} cores, "
            f"Linux {escape(machine['kernel'])}, {escape(machine['compiler'])}; load average "
            f"{machine['load_average_at_start']:.2f} at the start, {machine['load_average_at_end']:.2f} at the end; "
            f"begun {escape(machine['date'])}.</p>"
            f"<table>{versions}</table></footer>")


def write_page(results, path):
    style, script = ((HERE / f"page.{kind}").read_text() for kind in ("css", "js"))
    style += "".join(f'.card:has(.legend [data-curve="{i}"]:hover) .curve:not([data-curve="{i}"]) {{ opacity: 0.13 }}\n'
                     for i in range(20))  # a curve alone under its name
    main = overview(results) + headlines(results) + "".join(sections(results))
    body = f"{header(results)}<main>{main}</main>{footer(results)}"
    path.write_text(f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
                    f'<title>Copal beside its peers</title>'
                    f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head>'
                    f"<body>{body}<script>{script}</script></body></html>\n")
