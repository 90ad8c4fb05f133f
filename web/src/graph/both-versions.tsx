// In charge of the dialog that shows two versions of a graph side by side: the user's own, and the one that was saved elsewhere.
// For each node, note or frame that both have changed, the user chooses a version, and of each circle that both make together, which
// wire is left out; all other changes of both are listed and kept.
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Doc } from '../canvas/layout.ts'
import { Dialog } from '../ui/dialog.tsx'
import './both-versions.css'
import { allOf, type Choices, type Chosen, type Clash, chosenOf, type LeftOut, mergeOf, stillHeld } from './merge.ts'
import type { Circle } from './merge-circles.ts'
import type { Side, Versions } from './merge-parts.ts'

type Props = {
  docs: Versions<Doc>
  /** Who saved the other version, and when. */
  words: string
  save: (choices: Choices, leftOut: LeftOut) => void
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
  const [chosen, setChosen] = useState<Chosen>(new Map())
  // The other version may change again while the dialog is open; then nobody has chosen between what is shown now.
  const choices = useMemo(() => stillHeld({ before, mine, theirs }, chosen), [before, mine, theirs, chosen])
  const choose = (next: Choices) => setChosen(chosenOf(docs, next))
  const [leftOut, setLeftOut] = useState<LeftOut>(new Set())
  const { clashes, alone, circles } = useMemo(
    () => mergeOf({ before, mine, theirs }, choices, leftOut),
    [before, mine, theirs, choices, leftOut],
  )
  const open = clashes.filter(({ id }) => !choices.has(id)).length + circles.filter(({ left }) => left === null).length
  const leaveOut = ({ links }: Circle, chosen: string) => {
    const names = new Set(links.map(({ name }) => name))
    setLeftOut(new Set([...leftOut].filter((name) => !names.has(name))).add(chosen))
  }
  return (
    <Dialog onClose={close} size="xl" title="Both versions" closeButtonProps={{ 'aria-label': 'Close' }}>
      <p className="hint">
        {words}.{' '}
        {clashes.length + circles.length === 0 ? 'Nothing was changed by both: all of it goes together.' : choiceWords}
      </p>
      {clashes.length > 1 ? (
        <div className="versions-all">
          {sides.map((side) => (
            <Button key={side} size="compact-sm" variant="default" onClick={() => choose(allOf(docs, side))}>
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
          choose={(side) => choose(new Map([...choices, [clash.id, side]]))}
        />
      ))}
      {circles.map((circle) => (
        <CircleEntry
          key={JSON.stringify([circle.path, circle.links])}
          circle={circle}
          leaveOut={(name) => leaveOut(circle, name)}
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
        <Button size="sm" disabled={open > 0} onClick={() => save(choices, leftOut)}>
          {open === 0 ? 'Save both together' : `Choose for ${open} more`}
        </Button>
      </div>
    </Dialog>
  )
}

const choiceWords =
  'Choose for each of these, which do not go together as they are; everything else does. The history keeps theirs too.'

type EntryProps = { clash: Clash; chosen: Side | null; choose: (side: Side) => void }

function ClashEntry({ clash: { name, gone, rows, wires }, chosen, choose }: EntryProps) {
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
            {gone === side ? (
              <p className="hint">
                It was removed.{wires.length > 0 ? ` These wires would be left out: ${listed(wires)}.` : ''}
              </p>
            ) : null}
            <dl>
              {rows.map((row) =>
                gone === side ? null : (
                  <div key={row.name}>
                    <dt>{row.name}</dt>
                    <dd>{clipped(row[side]) ?? <span className="hint">Not set</span>}</dd>
                  </div>
                ),
              )}
              {gone === null || gone === side || wires.length === 0 ? null : (
                <div>
                  <dt>wires from it</dt>
                  <dd>{listed(wires)}</dd>
                </div>
              )}
            </dl>
          </div>
        ))}
      </div>
    </section>
  )
}

/** Offers the wires of both sides in a circle, one of which has to be left out. */
function CircleEntry({
  circle: { path, links, left },
  leaveOut,
}: {
  circle: Circle
  leaveOut: (name: string) => void
}) {
  const shown = path.length > longestPath ? [...path.slice(0, 6), '…', ...path.slice(-5)] : path
  const words = shown.join(' → ')
  return (
    <section className="versions" aria-label={`Circle ${words}`}>
      <h3>A circle: {words}</h3>
      <p className="hint">Together, the wires of both make these nodes wait for each other. Leave out one of them.</p>
      <div className="versions-grid">
        {sides.map((side) => (
          <div key={side} className="versions-side">
            <strong>{side === 'mine' ? 'Mine' : 'Theirs'}</strong>
            {links.map(({ name, wires, ...link }) =>
              link.side !== side ? null : (
                <div key={name} className="versions-head">
                  <span className="versions-wire">{listed(wires)}</span>
                  <Button
                    size="compact-xs"
                    variant={left === name ? 'filled' : 'default'}
                    aria-pressed={left === name}
                    aria-label={`Leave out: ${listed(wires)}`}
                    onClick={() => leaveOut(name)}
                  >
                    Leave out
                  </Button>
                </div>
              ),
            )}
          </div>
        ))}
      </div>
    </section>
  )
}

/** Of a longer circle, the beginning and the end are shown. */
const longestPath = 12

const Alone = ({ label, ids }: { label: string; ids: readonly string[] }) =>
  ids.length === 0 ? null : (
    <p className="hint versions-alone">
      {label}: {listed(ids)}
    </p>
  )

/** How many names are listed at most; of further names only the number is shown. */
const most = 20

const listed = (names: readonly string[]): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`

/** Longer texts are cut to this many characters; the inspector shows the whole text. */
const longest = 4000

function clipped(text: string | null): string | null {
  if (text === null || text.length <= longest) return text
  return `${text.slice(0, longest)}… (${text.length - longest} more characters)`
}
