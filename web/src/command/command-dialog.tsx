// In charge of the command palette: a text field with the matching entries below it; Enter performs the first entry.
import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { closeViewer } from '../ui/viewer-store.ts'
import './command.css'
import { closeCommands, useCommands } from '../ui/command-store.ts'
import { isCommand, isComposed } from '../ui/keys.ts'
import { type Entry, entriesOf, fittingGroups, stepped } from './entries.ts'
import { chosenOf, nothingOf, questionOf, type Step } from './steps.ts'
import { useGroups } from './use-groups.ts'
import { useSubject } from './use-subject.ts'

/** How long typing has to pause before a request is sent, so that a word does not cause a request for each of its letters. */
const pauseMs = 140
const listId = 'commands'

/**
 * Focuses the text field as soon as it exists. The modal would focus the field only a moment later, and keys that are pressed until
 * then would go to the button that opened the palette.
 */
const focus = (field: HTMLInputElement | null) => field?.focus()

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
  const subject = useSubject(from)
  const goOn = (next: Step) => {
    setStep(next)
    setText('')
    setChosen(null)
  }
  const { groups, isReading } = useGroups({ step, typed, asked, subject, goOn })
  const shown = fittingGroups(groups, step.kind === 'name' ? '' : typed)
  const entries = entriesOf(shown)
  const at = entries.find(({ key }) => key === chosen) ?? entries[0]
  const leave = () => {
    closeCommands()
    from?.focus()
  }
  const act = (entry: Entry) => {
    setIsAwaited(false)
    entry.act()
    if (entry.leadsOn) return
    closeViewer()
    // Gives the focus back to the element that had it before the palette opened. A page that the action opens then takes the focus.
    leave()
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
    <Modal
      opened
      onClose={leave}
      withCloseButton={false}
      returnFocus={false}
      centered={false}
      yOffset="10dvh"
      size={620}
      padding={0}
      zIndex={450}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Go to or do' } }}
    >
      <div className="command">
        <label className="command-field">
          <Icon name="search" />
          {chosenOf(step) === null ? null : <span className="mark">{chosenOf(step)}</span>}
          <input
            ref={focus}
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
      </div>
    </Modal>
  )
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
