// In charge of showing one creative to a guest: its file, its comments, and the guest's own comment and decision.
import type { Mark } from '@atelier/contract/review-rules.ts'
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { useKeptText } from '../review/use-kept-text.ts'
import { isCommand } from '../ui/keys.ts'
import { offIf } from '../ui/reason.tsx'
import { allSaid, codeOf, type GuestCaller, type Shown } from './guest-api.ts'
import { Decide, type Decision } from './guest-decide.tsx'
import { draftKey } from './guest-drafts.ts'
import { GuestMedium } from './guest-medium.tsx'
import { GuestThreads } from './guest-threads.tsx'
import { AtTime, useTime } from './guest-time.tsx'
import { sendByKey } from './send-by-key.ts'
import { useCut } from './use-cut.ts'

type Props = {
  creative: Shown
  caller: GuestCaller
  /** The start of the keys under which the guest's unsent texts are kept. */
  drafts: string
  place: string
  before: (() => void) | null
  next: (() => void) | null
  close: () => void
  refresh: () => void
}

const keyTakers = [HTMLTextAreaElement, HTMLInputElement, HTMLMediaElement] as const

export function GuestCreative({ creative, caller, drafts, place, before, next, close, refresh }: Props) {
  const { creative_id, name, file, version, may_comment } = creative
  const params = { creative_id }
  const said = useQuery({ queryKey: ['guest-said', creative_id], queryFn: () => allSaid(caller, creative_id) })
  const kept = useKeptText(draftKey(drafts, creative_id, 'comment'))
  /** The mark that the guest drew and the file on which it was drawn; on another version of the creative, the mark is not shown. */
  const [drawn, setDrawn] = useState<{ file: string; mark: Mark } | null>(null)
  const mark = drawn?.file === file ? drawn.mark : null
  const [isDrawing, setIsDrawing] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  /**
   * The digest of the picture that has been loaded; null before. A guest can decide about a picture only once it is loaded, or once
   * the browser could not show it: then the guest looks at the saved file. `isShown` is false in that case.
   */
  const [seen, setSeen] = useState<{ file: string; isShown: boolean } | null>(null)
  const [isSent, setIsSent] = useState(false)
  const media = useRef<HTMLMediaElement>(null)
  const time = useTime(media, creative)
  const page = useRef<HTMLElement>(null)
  const picture = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => page.current?.focus(), [])
  const attempt = async (act: () => Promise<unknown>): Promise<boolean> => {
    setIsBusy(true)
    try {
      await act()
      setProblem(null)
      return true
    } catch (error) {
      setProblem(wordsOf(error))
      // If the team has added a newer version meanwhile, that version is loaded, and the guest has to decide about it.
      if (codeOf(error) === 'version_not_current') refresh()
      return false
    } finally {
      setIsBusy(false)
    }
  }
  const post = (text: string) =>
    attempt(async () => {
      await caller.call('createGuestComment', { params, body: { text, mark, from_seconds: time.read(), version } })
      // What the guest has drawn since for the next comment stays.
      setDrawn((now) => (now === drawn ? null : now))
      setIsDrawing(false)
      setIsSent(true)
      void said.refetch()
    })
  const decide = (decision: Decision, note: string) =>
    attempt(async () => {
      await caller.call('decideAsGuest', { params, body: { file, decision, note } })
      refresh()
    })
  const goOn = () => field.current?.focus()
  const giveUp = () => {
    setIsDrawing(false)
    setDrawn(null)
  }
  const onKey = (event: KeyboardEvent) => {
    // In a text the arrow keys move the caret, in a film they seek; with Alt or ⌘ they are keys of the browser. Escape leaves the
    // text or film, and what was typed stays.
    if (keyTakers.some((taker) => event.target instanceof taker)) {
      if (event.key === 'Escape' && isCommand(event)) page.current?.focus({ preventScroll: true })
      return
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key === 'ArrowLeft') before?.()
    else if (event.key === 'ArrowRight') next?.()
    else if (event.key === 'Escape') (isDrawing ? giveUp : close)()
  }
  const threads = useMemo(() => (said.data ?? []).filter(({ thread_id }) => thread_id === null), [said.data])
  const isReady = !isBusy && kept.text.trim() !== ''
  const isPicture = creative.media_type.startsWith('image/')
  return (
    <main className="guest" tabIndex={-1} ref={page} onKeyDown={onKey} onTimeUpdateCapture={time.note}>
      <Bar title={title} {...{ name, version, place, before, next, close }} />
      <GuestMedium
        key={file}
        {...{ creative, media, chosen, picture }}
        hasCome={(isShown) => setSeen({ file, isShown })}
        marked={threads.map((thread, at) => ({ ...thread, number: at + 1, isOpen: !thread.resolved }))}
        choose={setChosen}
        drawing={isDrawing ? { tool: 'box', mark, draw: (next) => setDrawn({ file, mark: next }), goOn, giveUp } : null}
      />
      <WholeName {...{ name, version, title }} />
      {problem ? <p role="alert">{problem}</p> : null}
      <Decide {...{ creative, drafts, isBusy, decide }} isSeen={seen?.file === file || !isPicture} />
      {may_comment ? (
        <form
          className="guest-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) void kept.send(post)
          }}
        >
          <Textarea
            ref={field}
            label="Your comment"
            value={kept.text}
            maxLength={5000}
            autosize
            minRows={2}
            size="md"
            onKeyDown={sendByKey}
            onChange={({ currentTarget }) => {
              kept.write(currentTarget.value)
              setIsSent(false)
            }}
          />
          <div className="guest-acts">
            <Send isReady={isReady} isSending={kept.isSending} />
            <AtTime {...time} />
            {isPicture && (seen?.file !== file || seen.isShown) ? (
              <Button
                size="md"
                variant={isDrawing ? 'filled' : 'default'}
                onClick={() => {
                  setIsDrawing(!isDrawing)
                  setDrawn(null)
                  if (!isDrawing) picture.current?.scrollIntoView({ block: 'center' })
                }}
              >
                {isDrawing ? 'Tap or draw on the picture' : 'Mark a place'}
              </Button>
            ) : null}
          </div>
          {isSent ? <p role="status">Sent.</p> : null}
        </form>
      ) : null}
      <GuestThreads
        {...{ threads, chosen, version, drafts }}
        seek={time.seek}
        said={said.data ?? []}
        answer={
          may_comment
            ? (thread_id, words) =>
                attempt(async () => {
                  await caller.call('createGuestComment', { params, body: { text: words, thread_id } })
                  void said.refetch()
                })
            : null
        }
      />
    </main>
  )
}

type BarProps = Pick<Props, 'place' | 'before' | 'next' | 'close'> &
  Pick<Shown, 'name' | 'version'> & { title: RefObject<HTMLHeadingElement | null> }

const Bar = ({ title, name, version, place, before, next, close }: BarProps) => (
  <header className="guest-bar">
    <Button variant="default" onClick={close}>
      All
    </Button>
    <h1 ref={title}>
      {name}, v{version}
    </h1>
    <span className="hint">{place}</span>
    <Button variant="default" disabled={!before} aria-label="The one before" onClick={() => before?.()}>
      ←
    </Button>
    <Button variant="default" disabled={!next} aria-label="The next one" onClick={() => next?.()}>
      →
    </Button>
  </header>
)

/** Shows all of a name that is cut off in the heading, where screen readers have all of it. */
const WholeName = ({ name, version, title }: Pick<BarProps, 'name' | 'version' | 'title'>) =>
  useCut(title) ? (
    <p aria-hidden="true">
      {name}, v{version}
    </p>
  ) : null

/** While it is off it is not `disabled` or `loading`, which would take the focus from the pressed button. */
const Send = ({ isReady, isSending }: { isReady: boolean; isSending: boolean }) => (
  <Button type="submit" size="md" {...offIf(!isReady)}>
    {isSending ? 'Sending …' : 'Send'}
  </Button>
)
