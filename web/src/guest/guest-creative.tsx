// In charge of showing one creative to a guest: its picture with marks, its comments, and the guest's own decision.
import type { Mark } from '@atelier/contract/review-rules.ts'
import { Button, Textarea } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { MarkLayer } from '../review/mark-layer.tsx'
import { allSaid, codeOf, type GuestCaller, type Shown } from './guest-api.ts'
import { GuestThreads } from './guest-threads.tsx'

type Props = {
  creative: Shown
  caller: GuestCaller
  place: string
  before: (() => void) | null
  next: (() => void) | null
  close: () => void
  refresh: () => void
}

export function GuestCreative({ creative, caller, place, before, next, close, refresh }: Props) {
  const { creative_id, name, file, version, may_comment } = creative
  const params = { creative_id }
  const said = useQuery({ queryKey: ['guest-said', creative_id], queryFn: () => allSaid(caller, creative_id) })
  const [text, setText] = useState('')
  /** The mark that the guest drew and the file on which it was drawn; on another version of the creative, the mark is not shown. */
  const [drawn, setDrawn] = useState<{ file: string; mark: Mark } | null>(null)
  const mark = drawn?.file === file ? drawn.mark : null
  const [isDrawing, setIsDrawing] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  /** The digest of the picture that has been loaded; null before. A guest can decide about a picture only once it is loaded. */
  const [seen, setSeen] = useState<string | null>(null)
  const [isSent, setIsSent] = useState(false)
  const media = useRef<HTMLMediaElement>(null)
  const page = useRef<HTMLElement>(null)
  const picture = useRef<HTMLDivElement>(null)
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
  const send = () =>
    attempt(async () => {
      const from_seconds = media.current ? media.current.currentTime : null
      await caller.call('createGuestComment', { params, body: { text, mark, from_seconds, version } })
      setText('')
      setDrawn(null)
      setIsDrawing(false)
      setIsSent(true)
      await said.refetch()
    })
  const decide = (next: Decision) =>
    attempt(async () => {
      await caller.call('decideAsGuest', { params, body: { file, decision: next } })
      refresh()
    })
  const onKey = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement) return
    if (event.key === 'ArrowLeft') before?.()
    else if (event.key === 'ArrowRight') next?.()
    else if (event.key === 'Escape') close()
  }
  const threads = useMemo(() => (said.data ?? []).filter(({ thread_id }) => thread_id === null), [said.data])
  const isPicture = creative.media_type.startsWith('image/')
  return (
    <main className="guest" tabIndex={-1} ref={page} onKeyDown={onKey}>
      <header className="guest-bar">
        <Button variant="default" onClick={close}>
          All
        </Button>
        <h1>
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
      <Medium
        {...{ creative, media, chosen, picture }}
        hasCome={() => setSeen(file)}
        marked={threads.map((thread, at) => ({ ...thread, number: at + 1, isOpen: !thread.resolved }))}
        choose={setChosen}
        drawing={isDrawing ? { tool: 'box', mark, draw: (next) => setDrawn({ file, mark: next }) } : null}
      />
      {problem ? <p role="alert">{problem}</p> : null}
      <Decide
        creative={creative}
        isReady={!isBusy && (seen === file || !isPicture)}
        decide={(next) => void decide(next)}
      />
      {may_comment ? (
        <form
          className="guest-form"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <Textarea
            label="Your comment"
            value={text}
            maxLength={5000}
            autosize
            minRows={2}
            size="md"
            onChange={({ currentTarget }) => {
              setText(currentTarget.value)
              setIsSent(false)
            }}
          />
          <div className="guest-acts">
            <Button type="submit" size="md" loading={isBusy} disabled={text.trim() === ''}>
              Send
            </Button>
            {isPicture ? (
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
        {...{ threads, chosen, version }}
        said={said.data ?? []}
        answer={
          may_comment
            ? (thread_id, words) =>
                attempt(async () => {
                  await caller.call('createGuestComment', { params, body: { text: words, thread_id } })
                  await said.refetch()
                })
            : null
        }
      />
    </main>
  )
}

type Decision = 'accepted' | 'changes_wanted'

type DecideProps = { creative: Shown; isReady: boolean; decide: (decision: Decision) => void }

function Decide({ creative, isReady, decide }: DecideProps) {
  const { decision, may_decide } = creative
  return (
    <>
      {may_decide ? (
        <div className="guest-acts">
          <Button
            size="md"
            disabled={!isReady}
            variant={decision === 'accepted' ? 'filled' : 'default'}
            onClick={() => decide('accepted')}
          >
            Accept
          </Button>
          <Button
            size="md"
            disabled={!isReady}
            variant={decision === 'changes_wanted' ? 'filled' : 'default'}
            onClick={() => decide('changes_wanted')}
          >
            Want changes
          </Button>
        </div>
      ) : null}
      {decision ? (
        <p role="status">{decision === 'accepted' ? 'You have accepted this.' : 'You want changes to this.'}</p>
      ) : null}
    </>
  )
}

type MediumProps = Pick<Parameters<typeof MarkLayer>[0], 'marked' | 'chosen' | 'choose' | 'drawing'> & {
  creative: Shown
  media: RefObject<HTMLMediaElement | null>
  picture: RefObject<HTMLDivElement | null>
  hasCome: () => void
}

function Medium({ creative, media, picture, hasCome, ...layer }: MediumProps) {
  const { ref, width, height } = useElementSize()
  const merged = useMergedRef(ref, picture)
  const { media_type, url, name } = creative
  const size = { width, height }
  if (media_type.startsWith('image/')) {
    return (
      <div className="guest-picture" ref={merged}>
        <img src={url} alt={name} onLoad={hasCome} />
        <MarkLayer placed={{ view: { scale: 1, x: 0, y: 0 }, size, stage: size }} {...layer} />
      </div>
    )
  }
  if (media_type.startsWith('video/')) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: films that are made here have no speech, and no caption file comes with them.
      <video className="guest-film" ref={media as RefObject<HTMLVideoElement | null>} src={url} controls />
    )
  }
  if (media_type.startsWith('audio/')) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: no caption file comes with sounds that are made here.
      <audio className="guest-film" ref={media as RefObject<HTMLAudioElement | null>} src={url} controls />
    )
  }
  return (
    <p>
      <a href={url}>Save the file</a>
    </p>
  )
}
