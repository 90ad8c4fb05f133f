// In charge of showing the results of a lookup as a table. Only the rows in or near the visible area are rendered, because
// thousands of rows are common.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useCreativeCover } from '../lib/cover-store.ts'
import { openViewer } from '../ui/viewer-store.ts'
import { type LookupLine, type labelsOf, shownColumns } from './columns.ts'

type Props = { lines: readonly LookupLine[]; label: ReturnType<typeof labelsOf> }

const lineHeight = 37

export function LookupTable({ lines, label }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard
    <section ref={scroller} className="panel lookup-scroll" tabIndex={0} aria-label="Creatives">
      <table className="lookup-table" aria-rowcount={lines.length + 1}>
        <thead>
          <tr>
            <th scope="col">Asked</th>
            <th scope="col" className="lookup-small">
              <span className="visually-hidden">Picture</span>
            </th>
            {shownColumns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} />
          {items.map(({ index }) => {
            const line = lines[index]
            return line ? <Line key={index} line={line} index={index} label={label} /> : null
          })}
          <Spacer height={below} />
        </tbody>
      </table>
    </section>
  )
}

/** An empty row in place of all rows above or below the rendered ones; `height` is the total height of these rows in pixels. */
function Spacer({ height }: { height: number }) {
  return height > 0 ? (
    <tr>
      <td style={{ height, padding: 0, border: 0 }} colSpan={shownColumns.length + 2} />
    </tr>
  ) : null
}

function Line({ line, index, label }: { line: LookupLine; index: number; label: Props['label'] }) {
  const { creative } = line
  return (
    <tr aria-rowindex={index + 2} data-repeated={!line.first || undefined}>
      <th scope="row" className="mono">
        {line.query}
      </th>
      {creative ? (
        <>
          <td className="lookup-small">
            <Small id={creative.id} name={creative.name} />
          </td>
          {shownColumns.map(({ title, of }) => (
            <td key={title}>{textOf(of(creative, label))}</td>
          ))}
        </>
      ) : (
        <td colSpan={shownColumns.length + 1} className="hint">
          Nothing carries this {line.handle === 'name' ? 'name' : 'campaign id'}.
        </td>
      )}
    </tr>
  )
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '–' : String(value))

/** A small picture of a creative; a click on the picture opens the viewer. */
function Small({ id, name }: { id: string; name: string }) {
  const cover = useCreativeCover(id)
  if (!cover) return null
  const { digest, media_type, size, thumbnail_url } = cover
  return (
    <button
      type="button"
      className="lookup-picture"
      aria-label={`See ${name} large`}
      onClick={() => openViewer([{ digest, name, mediaType: media_type, size, creativeId: id }], 0)}
    >
      <img src={thumbnail_url} alt="" decoding="async" />
    </button>
  )
}
