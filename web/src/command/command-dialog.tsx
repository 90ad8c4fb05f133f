// In charge of the command palette: a text field with the matching entries below it; Enter performs the first entry. It is a dialog of
// the browser and not of Mantine, so that it stands above everything, also above the viewer.
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { closeViewer } from '../ui/viewer-store.ts'
import './command.css'
import { closeCommands, useCommands } from '../ui/command-store.ts'
import { isCommand, isComposed } from '../ui/keys.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { useTopDialog } from '../ui/top-layer.ts'
import { type Entry, entriesOf, fittingGroups, stepped } from './entries.ts'
import { chosenOf, nothingOf, questionOf, type Step } from './steps.ts'
import { useGroups } from './use-groups.ts'
import { useSubject } from './use-subject.ts'

/** How long typing has to pause before a request is sent, so that a word does not cause a request for each of its letters. */
const pauseMs = 140
const listId = 'commands'

export function CommandDialog() {
  const opened = useCommands()
  const [from] = useState(opened?.from ?? null)
  const [text, setText] = useState(opened?.typed ?? '')
  const [step, setStep] = useState<Step>({ kind: 'first' })
  const [chosen, setChosen] = useState<string | null>(null)
  /** Whether Enter was pressed before the results arrived; the first entry is then performed as soon as they arrive. */
  const [isAwaited, setIsAwaited] = useState(false)
  const typed = text.trim()
  const [asked] = useDebouncedValue(typed, pauseMs)
  const { subject, many } = useSubject(from)
  const dialog = useTopDialog()
  const outside = useClickBeside(closeCommands)
  const goOn = (next: Step) => {
    setStep(next)
    setText('')
    setChosen(null)
  }
  const { groups, isReading } = useGroups({ step, typed, asked, subject, many, goOn })
  const shown = fittingGroups(groups, step.kind === 'name' ? '' : typed)
  const entries = entriesOf(shown)
  const at = entries.find(({ key }) => key === chosen) ?? entries[0]
  const act = (entry: Entry) => {
    setIsAwaited(false)
    entry.act()
    if (entry.leadsOn) return
    closeViewer()
    // The element that had the focus before the palette opened gets it back. A page that the action opens then takes the focus.
    closeCommands()
  }
  const first = useRef(act)
  first.current = act
  useEffect(() => {
    if (!isAwaited || isReading) return
    if (at) first.current(at)
    else setIsAwaited(false)
  }, [isAwaited, isReading, at])
  const onKey = (event: React.KeyboardEvent) => {
    // With a modifier, a key does what the browser does with it in a text field: Shift and ↑, for example, select the text.
    if (isComposed(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const arrow = arrows[event.key]
    if (arrow) setChosen(stepped(entries, at?.key ?? null, arrow))
    // Enter that is held down must not perform an entry of the next step as well, nor Backspace that deletes the text go back a step.
    else if (!isCommand(event)) return
    else if (event.key === 'Enter') {
      // If the user has selected an entry with an arrow key, Enter performs this entry and does not wait for further results.
      if (at && (chosen !== null || !isReading)) act(at)
      else setIsAwaited(true)
    } else if (event.key === 'Backspace' && text === '' && step.kind !== 'first') goOn({ kind: 'first' })
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      className="command"
      aria-label="Go to or do"
      tabIndex={-1}
      {...leaveEscape}
      onClose={closeCommands}
      {...outside}
      // A Mantine dialog below keeps everything that is not in it from scrolling.
      onWheel={(event) => event.stopPropagation()}
      onTouchMove={(event) => event.stopPropagation()}
    >
      <label className="command-field">
        <Icon name="search" />
        {chosenOf(step) === null ? null : <span className="mark">{chosenOf(step)}</span>}
        <input
          {...leaveEscape}
          data-autofocus
          role="combobox"
          aria-label={questionOf(step)}
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-activedescendant={at ? idOf(at) : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          placeholder={questionOf(step)}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChosen(null)
            setIsAwaited(false)
          }}
          onKeyDown={onKey}
        />
      </label>
      <div id={listId} role="listbox" aria-label="What fits" className="command-list" aria-busy={isReading}>
        {shown.map(({ title, entries }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox.
          <div key={title} role="group" aria-label={title}>
            <div className="command-title" aria-hidden="true">
              {title}
            </div>
            {entries.map((entry) => (
              <Option key={entry.key} entry={entry} isAt={entry === at} act={() => act(entry)} />
            ))}
          </div>
        ))}
      </div>
      <p className="command-none" role="status">
        {entries.length > 0 ? '' : isReading ? 'Looking …' : nothingOf(step)}
      </p>
    </dialog>
  )
}

/** Handlers of a modal dialog that close it by a click beside it: what is around a dialog counts as the dialog itself. */
function useClickBeside(close: () => void) {
  /** Whether the pointer went down beside the dialog, and not in it, as when a text is selected and the button let go outside. */
  const isBegun = useRef(false)
  return {
    onPointerDown: ({ target, currentTarget }: React.PointerEvent) => {
      isBegun.current = target === currentTarget
    },
    onClick: ({ target, currentTarget }: React.MouseEvent) => {
      if (isBegun.current && target === currentTarget) close()
    },
  }
}

const arrows: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }
const idOf = ({ key }: Entry): string => `command-${key.replaceAll(/\W+/g, '-')}`

function Option({ entry, isAt, act }: { entry: Entry; isAt: boolean; act: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAt) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isAt])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys for all options.
    // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus, and refers to the active option.
    <div ref={place} id={idOf(entry)} role="option" aria-selected={isAt} className="command-option" onClick={act}>
      <Icon name={entry.icon} />
      <span className="command-words">{entry.title}</span>
      {entry.hint ? <span className="hint">{entry.hint}</span> : null}
    </div>
  )
}
