// In charge of the path of a wire: a plain curve, or, if the curve crosses nodes, a path above or below these nodes that crosses
// fewer nodes. Pure.
import type { Point } from './doc.ts'
import type { Box } from './places.ts'

export type Way = { path: string; middle: Point }

const clear = 18
const samples = 14

/** The path from an output, on the right of a node, to an input, on the left of another node. */
export function wayOf(from: Point, to: Point, boxes: readonly Box[]): Way {
  const straight = curve(from, to)
  const met = boxes.filter((box) => meets(straight, box))
  if (met.length === 0) return drawn([straight])
  const top = Math.min(...met.map(({ y }) => y)) - clear
  const bottom = Math.max(...met.map(({ y, height }) => y + height)) + clear
  const left = Math.min(...met.map(({ x }) => x))
  const right = Math.max(...met.map(({ x, width }) => x + width))
  const tries = [top, bottom].map((y) => {
    const curves = around(from, to, { left, right, y })
    const hits = boxes.filter((box) => curves.some((one) => meets(one, box))).length
    return { curves, hits, length: Math.abs(from.y - y) + Math.abs(to.y - y) }
  })
  const [best] = tries.toSorted((one, other) => one.hits - other.hits || one.length - other.length)
  return best && best.hits < met.length ? drawn(best.curves) : drawn([straight])
}

type Curve = { from: Point; out: Point; into: Point; to: Point }

function curve(from: Point, to: Point): Curve {
  const ahead = to.x - from.x
  const reach = ahead >= 0 ? ahead / 2 : Math.min(240, 25 * Math.sqrt(-ahead) * 0.25 + 40)
  return { from, to, out: { x: from.x + reach, y: from.y }, into: { x: to.x - reach, y: to.y } }
}

function around(from: Point, to: Point, lane: { left: number; right: number; y: number }): Curve[] {
  const first = { x: Math.max(from.x + 2 * clear, lane.left - clear), y: lane.y }
  const last = { x: Math.min(to.x - 2 * clear, lane.right + clear), y: lane.y }
  if (last.x < first.x)
    return [curve(from, { x: (from.x + to.x) / 2, y: lane.y }), curve({ x: (from.x + to.x) / 2, y: lane.y }, to)]
  return [curve(from, first), { from: first, out: first, into: last, to: last }, curve(last, to)]
}

function at({ from, out, into, to }: Curve, t: number): Point {
  const s = 1 - t
  const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
  return {
    x: a * from.x + b * out.x + c * into.x + d * to.x,
    y: a * from.y + b * out.y + c * into.y + d * to.y,
  }
}

function meets(one: Curve, box: Box): boolean {
  for (let step = 0; step <= samples; step += 1) {
    const { x, y } = at(one, step / samples)
    if (x > box.x - 4 && x < box.x + box.width + 4 && y > box.y - 4 && y < box.y + box.height + 4) return true
  }
  return false
}

function drawn(curves: readonly Curve[]): Way {
  const [first] = curves
  const middle = curves[Math.floor(curves.length / 2)]
  if (!first || !middle) return { path: '', middle: { x: 0, y: 0 } }
  const parts = curves.map(({ out, into, to }) => `C${out.x},${out.y} ${into.x},${into.y} ${to.x},${to.y}`)
  return {
    path: `M${first.from.x},${first.from.y}${parts.join('')}`,
    middle: curves.length === 2 ? middle.from : at(middle, 0.5),
  }
}
