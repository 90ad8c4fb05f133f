// In charge of showing the comments on a creative to a guest, who can reply to them.
import { Button, Textarea } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { useStable } from '../lib/use-stable.ts'
import { timeWords } from '../review/marks.ts'
import { useGrowing } from '../ui/use-growing.ts'
import type { GuestSaid } from './guest-api.ts'

type Props = {
  said: readonly GuestSaid[]
  threads: readonly GuestSaid[]
  chosen: string | null
  /** The version of the creative that is being shown. */
  version: number
  /** Sends a reply to a comment and returns whether that succeeded; null if the guest link does not allow replies. */
  answer: ((threadId: string, words: string) => Promise<boolean>) | null
}

const threadsPerFrame = 30

export function GuestThreads({ said, threads, answer, ...shown }: Props) {
  const answers = useMemo(() => Map.groupBy(said, ({ thread_id }) => thread_id), [said])
  const drawn = useGrowing(threads.length, threadsPerFrame)
  const sendTo = useStable(async (id: string, words: string) => (await answer?.(id, words)) ?? false)
  return (
    <ol className="guest-said" aria-label="Comments">
      {threads.slice(0, drawn).map((thread, at) => (
        <GuestThread
          key={thread.id}
          {...{ thread, version: shown.version }}
          number={at + 1}
          isChosen={thread.id === shown.chosen}
          answers={answers.get(thread.id) ?? none}
          send={answer ? sendTo : null}
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
  send: Props['answer']
}

/** Memoized, so that hundreds of threads are not rendered again while the guest types. */
const GuestThread = memo(function GuestThread({ thread, answers, number, isChosen, version, send }: ThreadProps) {
  return (
    <li data-chosen={isChosen || undefined}>
      <p>
        <strong>
          {number}. {thread.by_name}
        </strong>{' '}
        {thread.from_seconds === null ? '' : `at ${timeWords(thread.from_seconds)} `}
        {thread.version === version ? '' : `of v${thread.version} `}
        {thread.resolved ? '(addressed)' : ''}
      </p>
      <p className="guest-words">{thread.text}</p>
      {answers.map(({ id, by_name, text }) => (
        <p key={id} className="guest-words guest-answer">
          <strong>{by_name}</strong> {text}
        </p>
      ))}
      {send ? <Answer number={number} send={(words) => send(thread.id, words)} /> : null}
    </li>
  )
})

function Answer({ number, send }: { number: number; send: (words: string) => Promise<boolean> }) {
  const [text, setText] = useState<string | null>(null)
  if (text === null) {
    return (
      <Button variant="subtle" size="sm" aria-label={`Answer comment ${number}`} onClick={() => setText('')}>
        Answer
      </Button>
    )
  }
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        if (await send(text)) setText(null)
      }}
    >
      <Textarea
        label={`Your answer to comment ${number}`}
        autoFocus
        value={text}
        maxLength={5000}
        autosize
        minRows={1}
        size="md"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="guest-acts">
        <Button type="submit" size="md" disabled={text.trim() === ''}>
          Send the answer
        </Button>
        <Button variant="default" size="md" onClick={() => setText(null)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
