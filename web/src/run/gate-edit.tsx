// In charge of a gate that lets the user check and change a value before the run continues: a text, a table as rows and columns, or any
// other value as JSON.
import { Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useDraft } from '../task/use-draft.ts'
import { isCommand } from '../ui/keys.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { GateFoot } from './gate-foot.tsx'
import { cellsAtMost, columnsOf, problemsIn, rowsOf } from './gate-rows.ts'
import type { AnswerProps } from './gate-stage.tsx'
import { entryOf } from './gate-values.ts'
import type { Request } from './questions.ts'
import { useRows } from './use-rows.ts'

type Props = AnswerProps & { request: Extract<Request, { kind: 'edit' | 'other' }> }

const GateTable = lazyPart('the table', async () => (await import('./gate-table.tsx')).GateTable)

const isText = (value: unknown): value is string => typeof value === 'string'
const isSame = (one: string, other: string): boolean => one === other

export function GateEdit({ request, refusal, answer, isBusy, draft }: Props) {
  const value = request.kind === 'edit' ? request.value : null
  const entry = useMemo(() => entryOf(value), [value])
  // If somebody rolls the node before the gate again, the question is about another value from then on.
  const { typed: text, setTyped: setText, overtaken, letGo } = useDraft(draft, entry.text, isSame, isText)
  const table = useTable(value, text, setText)
  const read = entry.read(text)
  const problem = table.isShown ? (table.problems[0]?.words ?? null) : 'problem' in read ? read.problem : null
  const send = () => {
    if ('value' in read && problem === null) answer(request.kind === 'edit' ? { value: read.value } : read.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isCommand(event)) send()
  }
  return (
    <div className="gate-body">
      {request.kind === 'other' ? <pre className="value-json">{JSON.stringify(request.raw, null, 2)}</pre> : null}
      {overtaken ? (
        <p className="notice" data-tone="warn" role="status">
          This was made anew while you wrote.{' '}
          <Button size="compact-xs" variant="default" onClick={letGo}>
            Take the new one
          </Button>
        </p>
      ) : null}
      {table.isAsked ? (
        <div className="gate-as">
          <ReasonButton
            size="compact-sm"
            variant="default"
            off={table.isShown ? null : table.refusal}
            onClick={() => table.setAsJson(table.isShown)}
          >
            {table.isShown ? 'Edit as JSON' : 'Edit as a table'}
          </ReasonButton>
        </div>
      ) : null}
      {table.isShown ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside get the keys; this reads one that is for all of them.
        <div className="gate-as-table" onKeyDown={onKeyDown}>
          <GateTable label={request.title} {...table} />
        </div>
      ) : (
        <Textarea
          className="gate-edit"
          data-first
          autosize
          minRows={8}
          maxRows={28}
          aria-label={request.title}
          description={table.tooLarge ?? entry.words}
          classNames={{ input: entry.isCode ? 'mono' : '' }}
          error={problem}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <GateFoot>
        <span className="gate-hint hint">Ctrl Enter goes on with it</span>
        <Button size="sm" variant="default" disabled={text === entry.text} onClick={letGo}>
          As it was
        </Button>
        <ReasonButton size="sm" loading={isBusy} off={refusal ?? problem} onClick={send}>
          Go on with this
        </ReasonButton>
      </GateFoot>
    </div>
  )
}

/** The value as a table, if it is one: what is shown of it, and why it is not. */
function useTable(value: unknown, text: string, setText: (text: string) => void) {
  const [asJson, setAsJson] = useState(false)
  const asked = useMemo(() => rowsOf(value), [value])
  const { rows, edit, undoing } = useRows(asked !== null, text, setText)
  const names = useMemo(() => (asked && rows ? columnsOf(asked, rows) : []), [asked, rows])
  // Columns stay the same object while no column is added, so that rows that are not changed are not drawn again.
  const columns = useMemo(() => names, [JSON.stringify(names)])
  const problems = useMemo(() => (rows ? problemsIn(rows, columns) : []), [rows, columns])
  const cells = (rows?.length ?? 0) * columns.length
  const tooLarge = cells > cellsAtMost ? tooLargeWords(cells) : null
  const refusal = rows === null ? 'Only a list of objects can be edited as a table.' : tooLarge
  return {
    isAsked: asked !== null,
    isShown: asked !== null && refusal === null && !asJson,
    refusal,
    tooLarge,
    setAsJson,
    ...{ rows: rows ?? [], columns, problems, edit, undoing },
  }
}

const numberWords = (count: number): string => count.toLocaleString('en')
const tooLargeWords = (cells: number): string =>
  `JSON. This table has ${numberWords(cells)} cells; with more than ${numberWords(cellsAtMost)}, a table can only be edited as JSON.`
