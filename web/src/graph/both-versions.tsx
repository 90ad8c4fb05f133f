// In charge of the dialog that shows two versions of a graph side by side: the user's own, and the one that was saved elsewhere.
// For each node, note or frame that both have changed, the user chooses a version; all other changes of both are listed and kept.
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Doc } from '../canvas/layout.ts'
import { Dialog } from '../ui/dialog.tsx'
import './both-versions.css'
import { type Choices, type Clash, mergeOf, type Side, type Versions } from './merge.ts'

type Props = {
  docs: Versions<Doc>
  /** Who saved the other version, and when. */
  words: string
  save: (choices: Choices) => void
  /** Discards the user's own version, and shows a message that offers to undo the discarding. */
  discard: () => void
  keep: () => void
  keepLabel: string
  close: () => void
}

const sides = ['mine', 'theirs'] as const
const useWords = { mine: 'Use mine', theirs: 'Take theirs' } as const

export function BothVersions({ docs, words, save, discard, keep, keepLabel, close }: Props) {
  const { before, mine, theirs } = docs
  const { clashes, alone } = useMemo(() => mergeOf({ before, mine, theirs }), [before, mine, theirs])
  const [choices, setChoices] = useState<Choices>(new Map())
  const open = clashes.filter(({ id }) => !choices.has(id)).length
  const chooseAll = (side: Side) => setChoices(new Map(clashes.map(({ id }) => [id, side])))
  return (
    <Dialog onClose={close} size="xl" title="Both versions" closeButtonProps={{ 'aria-label': 'Close' }}>
      <p className="hint">
        {words}. {clashes.length === 0 ? 'Nothing was changed by both: all of it goes together.' : choiceWords}
      </p>
      {clashes.length > 1 ? (
        <div className="versions-all">
          {sides.map((side) => (
            <Button key={side} size="compact-sm" variant="default" onClick={() => chooseAll(side)}>
              {useWords[side]} everywhere
            </Button>
          ))}
        </div>
      ) : null}
      {clashes.map((clash) => (
        <ClashEntry
          key={clash.id}
          clash={clash}
          chosen={choices.get(clash.id) ?? null}
          choose={(side) => setChoices(new Map([...choices, [clash.id, side]]))}
        />
      ))}
      <Alone label="Only you changed" ids={alone.mine} />
      <Alone label="Only they changed" ids={alone.theirs} />
      <div className="dialog-foot versions-foot">
        <Button size="sm" variant="subtle" color="red" onClick={discard}>
          Give up mine
        </Button>
        <Button size="sm" variant="default" onClick={keep}>
          {keepLabel}
        </Button>
        <Button size="sm" disabled={open > 0} onClick={() => save(choices)}>
          {open === 0 ? 'Save both together' : `Choose for ${open} more`}
        </Button>
      </div>
    </Dialog>
  )
}

const choiceWords =
  'Choose for each node, note or frame that both changed; everything else goes together. The history keeps theirs too.'

type EntryProps = { clash: Clash; chosen: Side | null; choose: (side: Side) => void }

function ClashEntry({ clash: { name, gone, rows }, chosen, choose }: EntryProps) {
  return (
    <section className="versions" aria-label={name}>
      <h3>{name}</h3>
      <div className="versions-grid">
        {sides.map((side) => (
          <div key={side} className="versions-side" data-chosen={chosen === side || undefined}>
            <div className="versions-head">
              <strong>{side === 'mine' ? 'Mine' : 'Theirs'}</strong>
              <Button
                size="compact-xs"
                variant={chosen === side ? 'filled' : 'default'}
                aria-pressed={chosen === side}
                aria-label={`${useWords[side]}: ${name}`}
                onClick={() => choose(side)}
              >
                {useWords[side]}
              </Button>
            </div>
            {gone === side ? <p className="hint">It was removed.</p> : null}
            <dl>
              {rows.map((row) =>
                gone === side ? null : (
                  <div key={row.name}>
                    <dt>{row.name}</dt>
                    <dd>{clipped(row[side]) ?? <span className="hint">Not set</span>}</dd>
                  </div>
                ),
              )}
            </dl>
          </div>
        ))}
      </div>
    </section>
  )
}

const Alone = ({ label, ids }: { label: string; ids: readonly string[] }) =>
  ids.length === 0 ? null : (
    <p className="hint versions-alone">
      {label}: {ids.slice(0, most).join(', ')}
      {ids.length > most ? ` and ${ids.length - most} more` : ''}
    </p>
  )

/** How many names are listed at most; of further names only the number is shown. */
const most = 20

/** Longer texts are cut to this many characters; the inspector shows the whole text. */
const longest = 4000

function clipped(text: string | null): string | null {
  if (text === null || text.length <= longest) return text
  return `${text.slice(0, longest)}… (${text.length - longest} more characters)`
}
