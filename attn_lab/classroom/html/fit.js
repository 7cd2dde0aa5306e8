// The largest letters with which all of a page fits the window: its sizes are in em of <main>.
"use strict";

const STEPS = 9; // halvings: to a five-hundredth of the range

function fit(place, smallest, largest) {
  const fits = (size) => {
    place.style.fontSize = `${size}vh`;
    return place.scrollHeight <= place.clientHeight && place.scrollWidth <= place.clientWidth;
  };
  if (fits(largest)) return;
  let [small, large] = [smallest, largest];
  for (let step = 0; step < STEPS; step++) {
    const middle = (small + large) / 2;
    if (fits(middle)) small = middle;
    else large = middle;
  }
  fits(small);
}
