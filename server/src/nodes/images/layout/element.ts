// In charge of the elements of an ad: boxes and pictures with styles, in the form that the library satori draws.

type Style = Record<string, string | number | undefined>
export type Element = { type: string; key: null; props: Record<string, unknown> }
type Child = Element | string | null

const element = (type: string, props: Record<string, unknown>): Element => ({ type, key: null, props })

/** A flex box. Children that are null are left out. */
export function box(style: Style, ...children: Child[]): Element {
  const present = children.filter((child) => child !== null)
  return element('div', {
    style: { display: 'flex', boxSizing: 'border-box', ...style },
    ...(present.length > 0 ? { children: present } : {}),
  })
}

export const column = (style: Style, ...children: Child[]): Element =>
  box({ flexDirection: 'column', ...style }, ...children)

/** A box that covers its parent. */
export const cover = (style: Style, ...children: Child[]): Element =>
  box({ position: 'absolute', top: 0, left: 0, width: '100%', height: '100%', ...style }, ...children)

/** A picture of this size. `src` must already have the same proportions, because nothing is cut off. */
export const picture = (src: string, width: number, height: number, style: Style = {}): Element =>
  element('img', { src, width, height, style: { width, height, flexShrink: 0, ...style } })
