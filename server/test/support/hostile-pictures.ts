// In charge of SVGs of a few kilobytes that would take a renderer minutes.

const noise = `<svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000"><filter id="f">
<feTurbulence baseFrequency="0.5" numOctaves="10000"/></filter>
${'<rect width="5000" height="5000" filter="url(#f)"/>'.repeat(60)}</svg>`

/** Each group uses the previous group twice, so that the last group draws the circle 2^24 times. */
const groups = Array.from(
  { length: 24 },
  (_, at) => `<g id="g${at + 1}"><use href="#g${at}"/><use href="#g${at}" x="1"/></g>`,
)
const nested = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500">
<defs><g id="g0"><circle r="9"/></g>${groups.join('')}</defs><use href="#g24"/></svg>`

export const hostileSvgs = { 'noise over noise': noise, 'groups in groups': nested }
