// In charge of showing the comments on a creative to a guest, who can reply to them.
import { Button } from '@mantine/core'
import { memo, useMemo } from 'react'
import { useStable } from '../lib/use-stable.ts'
import { timeWords } from '../review/marks.ts'
import { useGrowing } from '../ui/use-growing.ts'
import type { GuestSaid } from './guest-api.ts'
import { draftKey } from './guest-drafts.ts'
import { GuestForm, useGuestForm } from './guest-form.tsx'

type Props = {
  said: readonly GuestSaid[]
  threads: readonly GuestSaid[]
  chosen: string | null
  /** The version of the creative that is being shown. */
  version: number
  /** Shows this time, in seconds, of the film or sound; null if the creative is neither. */
  seek: ((seconds: number) => void) | null
  /** The start of the keys under which the guest's unsent texts are kept. */
  drafts: string
  /** Sends a reply to a comment and returns whether that succeeded; null if the guest link does not allow replies. */
  answer: ((threadId: string, words: string) => Promise<boolean>) | null
}

const threadsPerFrame = 30

export function GuestThreads({ said, threads, answer, seek, ...shown }: Props) {
  const answers = useMemo(() => Map.groupBy(said, ({ thread_id }) => thread_id), [said])
  const drawn = useGrowing(threads.length, threadsPerFrame)
  const sendTo = useStable(async (id: string, words: string) => (await answer?.(id, words)) ?? false)
  const seekTo = useStable((seconds: number) => seek?.(seconds))
  return (
    <ol className="guest-said" aria-label="Comments">
      {threads.slice(0, drawn).map((thread, at) => (
        <GuestThread
          key={thread.id}
          {...{ thread, version: shown.version, drafts: shown.drafts }}
          number={at + 1}
          isChosen={thread.id === shown.chosen}
          answers={answers.get(thread.id) ?? none}
          send={answer ? sendTo : null}
          seek={seek ? seekTo : null}
        />
      ))}
    </ol>
  )
}

const none: readonly GuestSaid[] = []

type ThreadProps = {
  thread: GuestSaid
  answers: readonly GuestSaid[]
  number: number
  isChosen: boolean
  version: number
  drafts: string
  send: Props['answer']
  seek: Props['seek']
}

/** Memoized, so that hundreds of threads are not rendered again while the guest types. */
const GuestThread = memo(function GuestThread(props: ThreadProps) {
  const { thread, answers, number, isChosen, version, drafts, send, seek } = props
  return (
    <li data-chosen={isChosen || undefined}>
      <p>
        <strong>
          {number}. {thread.by_name}
        </strong>{' '}
        <Time seconds={thread.from_seconds} number={number} seek={thread.version === version ? seek : null} />
        {thread.version === version ? '' : `of v${thread.version} `}
        {thread.resolved ? '(addressed)' : ''}
      </p>
      <p className="guest-words">{thread.text}</p>
      {answers.map(({ id, by_name, text }) => (
        <p key={id} className="guest-words guest-answer">
          <strong>{by_name}</strong> {text}
        </p>
      ))}
      {send ? (
        <Answer
          draft={draftKey(drafts, thread.id, 'answer')}
          number={number}
          send={(words) => send(thread.id, words)}
        />
      ) : null}
    </li>
  )
})

type TimeProps = { seconds: number | null; number: number; seek: Props['seek'] }

/** The time that a comment is about. In another version, something else may be shown at this time, so there it is text only. */
function Time({ seconds, number, seek }: TimeProps) {
  if (seconds === null) return null
  const words = `at ${timeWords(seconds)}`
  if (!seek) return `${words} `
  return (
    <Button
      variant="subtle"
      size="compact-md"
      aria-label={`Show comment ${number}, ${words}`}
      onClick={() => seek(seconds)}
    >
      {words}
    </Button>
  )
}

/** `draft`: the key under which the unsent answer is kept. */
type AnswerProps = { draft: string; number: number; send: (words: string) => Promise<boolean> }

function Answer({ draft, number, send }: AnswerProps) {
  const { place, opener, isOpen, open, close } = useGuestForm(draft)
  return (
    <div ref={place}>
      {isOpen ? (
        <GuestForm
          label={`Your answer to comment ${number}`}
          button="Send the answer"
          maxLength={5000}
          {...{ draft, send, close }}
        />
      ) : (
        <Button ref={opener} variant="subtle" size="sm" aria-label={`Answer comment ${number}`} onClick={open}>
          Answer
        </Button>
      )}
    </div>
  )
}
