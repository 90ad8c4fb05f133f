// In charge of displaying an output of a node: files, text, tables, lists and objects. Deeply nested lists and objects are shown as
// JSON. Of a value that is too long for the state of the run, at first only the beginning is shown.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { Button } from '@mantine/core'
import { useContext, useMemo, useState } from 'react'
import { Picture } from '../canvas/picture.tsx'
import { useFileLink } from '../lib/link-store.ts'
import { openViewer } from '../ui/viewer-store.ts'
import { cellText, shapeOf } from './shapes.ts'
import { canBeViewed, ViewedContext, viewedFile } from './viewed.ts'
import { type ValuePlace, WholeValue } from './whole-value.tsx'

const few = 24

type ValueProps = {
  value: unknown
  /** How deep the value is inside lists and objects; from a depth of two, lists and objects are shown as JSON. */
  deep?: number
  /**
   * Where in a run the value is; for an element of a list, `item` is the index of the element. Null if the value cannot be read
   * from a run: then, of a long value, only the beginning can be shown.
   */
  place?: ValuePlace | null
}

export function Value({ value, deep = 0, place = null }: ValueProps) {
  const shape = shapeOf(value)
  switch (shape.kind) {
    case 'nothing':
      return <span className="hint">Nothing</span>
    case 'reference':
      return <WholeValue reference={shape.reference} place={place} show={(whole) => <Value value={whole} />} />
    case 'file':
      return <FileView file={shape.file} />
    case 'files':
      return (
        <Many
          entries={shape.files}
          className="value-files"
          show={(file) => <FileView file={file} among={shape.files} />}
        />
      )
    case 'text':
      return <LongText text={shape.text} />
    case 'table':
      return <TableView columns={shape.columns} rows={shape.rows} />
    case 'list':
      if (deep > 1) return <Json value={value} />
      return (
        <Many
          entries={shape.entries}
          className="value-list"
          show={(entry, index) => <Value value={entry} deep={deep + 1} place={place && { ...place, item: index }} />}
        />
      )
    case 'members':
      if (deep > 1) return <Json value={value} />
      return <Members members={shape.members} deep={deep + 1} />
  }
}

/** `among`: the files to step through in the viewer, unless the list in `ViewedContext` contains this file and is used instead. */
function FileView({ file, among = [file] }: { file: FileValue; among?: readonly FileValue[] }) {
  const url = useFileLink(file.digest)?.url
  const around = useContext(ViewedContext)
  const label = `Open ${file.name ?? 'the file'}`
  if (!canBeViewed(file)) {
    return (
      // Until the URL of the file is known, the element has no `href` and is not a link, so it gets no label.
      <a
        className="value-file"
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={url === undefined ? undefined : label}
      >
        <Picture file={file} alt="" />
      </a>
    )
  }
  const open = () => {
    const pictures = around.some(({ digest }) => digest === file.digest)
      ? around
      : among.filter(canBeViewed).map((one) => viewedFile(one))
    openViewer(
      pictures,
      pictures.findIndex(({ digest }) => digest === file.digest),
    )
  }
  return (
    <button type="button" className="value-file" aria-label={label} onClick={open}>
      <Picture file={file} alt="" />
    </button>
  )
}

type ManyProps<T> = { entries: readonly T[]; className: string; show: (entry: T, index: number) => React.ReactNode }

export function Many<T>({ entries, className, show }: ManyProps<T>) {
  const [count, setCount] = useState(few)
  return (
    <>
      <ol className={className}>
        {entries.slice(0, count).map((entry, index) => (
          <li key={index}>{show(entry, index)}</li>
        ))}
      </ol>
      {entries.length > count ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setCount((before) => before + 4 * few)}>
          {entries.length - count} more
        </Button>
      ) : null}
    </>
  )
}

/** Of an object with thousands of members, only some are drawn at first. */
function Members({ members, deep }: { members: readonly (readonly [string, unknown])[]; deep: number }) {
  const [count, setCount] = useState(few)
  return (
    <>
      <dl className="value-members">
        {members.slice(0, count).map(([name, member]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Value value={member} deep={deep} />
            </dd>
          </div>
        ))}
      </dl>
      {members.length > count ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setCount((before) => before + 4 * few)}>
          {members.length - count} more
        </Button>
      ) : null}
    </>
  )
}

function TableView({ columns, rows }: { columns: string[]; rows: readonly Readonly<Record<string, unknown>>[] }) {
  const [count, setCount] = useState(few)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: sections would be many landmarks of one name; a fieldset is for forms. */}
      <div className="value-table" role="group" tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column}>{cellOf(cellText(row[column]))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > count ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setCount((before) => before + 4 * few)}>
          {rows.length - count} more rows
        </Button>
      ) : null}
    </>
  )
}

const long = 700

const cellOf = (text: string) => (text.length > long ? <LongText text={text} /> : text)

function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  const isLong = text.length > long
  return (
    <div className="value-text">
      {isLong && !whole ? `${text.slice(0, long)}…` : text}
      {isLong ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!whole)}>
          {whole ? 'Less' : 'All of it'}
        </Button>
      ) : null}
    </div>
  )
}

/** The characters of JSON that are drawn at first. */
const longJson = 2000

function Json({ value }: { value: unknown }) {
  const [whole, setWhole] = useState(false)
  const text = useMemo(() => JSON.stringify(value, null, 2), [value])
  const isLong = text.length > longJson
  return (
    <>
      <pre className="value-json">{isLong && !whole ? `${text.slice(0, longJson)}…` : text}</pre>
      {isLong ? (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!whole)}>
          {whole ? 'Less' : 'All of it'}
        </Button>
      ) : null}
    </>
  )
}
