// What a plot says under the pointer, a curve alone under its name, and a count of the plots that really draw.
"use strict";

function showTip(frame, column) {
    let tip = frame.querySelector(".tip");
    if (!tip) {
        tip = document.createElement("div");
        tip.className = "tip";
        frame.append(tip);
    }
    tip.replaceChildren();
    const head = document.createElement("b");
    head.textContent = column.dataset.x;
    tip.append(head);
    for (const said of column.dataset.said.split("|")) {
        const [colour, label, value] = said.split("~");
        const line = document.createElement("div"), box = document.createElement("i");
        box.style.background = `var(${colour})`;
        line.append(box, `${label}: ${value}`);
        tip.append(line);
    }
    const svg = frame.querySelector("svg.plot");
    const at = column.dataset.at / svg.viewBox.baseVal.width * frame.clientWidth;
    const left = at < frame.clientWidth / 2 ? at + 12 : at - 12 - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(left, frame.clientWidth - tip.offsetWidth))}px`;
}

function listen(card) {
    const frame = card.querySelector(".frame");
    if (!frame)
        return;
    for (const column of frame.querySelectorAll(".hover"))
        column.addEventListener("pointerenter", () => showTip(frame, column));
    frame.addEventListener("pointerleave", () => frame.querySelector(".tip")?.remove());
    for (const name of card.querySelectorAll(".legend li")) {
        const curve = frame.querySelector(`.curve[data-curve="${name.dataset.curve}"]`);
        name.addEventListener("pointerenter", () => { frame.classList.add("dimmed"); curve.classList.add("chosen"); });
        name.addEventListener("pointerleave", () => {
            frame.classList.remove("dimmed");
            curve.classList.remove("chosen");
        });
    }
}

// A plot draws when every curve of it has a path of some extent, none beyond the plot, and the plot lies within the
// page.
function draws(svg) {
    const frame = svg.getBoundingClientRect(), paths = [...svg.querySelectorAll(".curve .data")];
    const visible = box => (box.width > 0.5 || box.height > 0.5)
        && box.left >= frame.left - 1 && box.right <= frame.right + 1
        && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    const curves = [...svg.querySelectorAll(".curve")];
    return frame.width > 50 && frame.height > 50
        && frame.left >= 0 && frame.right <= document.documentElement.clientWidth + 1
        && curves.length > 0 && curves.every(curve => paths.some(path => curve.contains(path)
            && visible(path.getBoundingClientRect())));
}

document.querySelectorAll(".card").forEach(listen);
const page = document.documentElement, fits = page.scrollWidth <= page.clientWidth + 1; // nothing is cut off
const plots = [...document.querySelectorAll("svg.plot")];
page.dataset.plots = `${plots.filter(svg => fits && draws(svg)).length}/${plots.length}`;
