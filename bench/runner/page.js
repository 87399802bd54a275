// Counts the plots that really draw.
"use strict";

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

const page = document.documentElement, fits = page.scrollWidth <= page.clientWidth + 1; // nothing is cut off
const plots = [...document.querySelectorAll("svg.plot")];
page.dataset.plots = `${plots.filter(svg => fits && draws(svg)).length}/${plots.length}`;
