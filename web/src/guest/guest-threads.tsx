// In charge of what was said of a creative, as a guest reads it and answers it.
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { timeWords } from '../review/marks.ts'
import type { GuestSaid } from './guest-api.ts'

type Props = {
  said: readonly GuestSaid[]
  threads: readonly GuestSaid[]
  chosen: string | null
  /** The version that is shown. */
  version: number
  /** Answers whether it was sent; null: the link does not allow it. */
  answer: ((threadId: string, words: string) => Promise<boolean>) | null
}

export function GuestThreads({ said, threads, chosen, version, answer }: Props) {
  const answers = Map.groupBy(said, ({ thread_id }) => thread_id)
  return (
    <ol className="guest-said" aria-label="Comments">
      {threads.map((thread, at) => (
        <li key={thread.id} data-chosen={thread.id === chosen || undefined}>
          <p>
            <strong>
              {at + 1}. {thread.by_name}
            </strong>{' '}
            {thread.from_seconds === null ? '' : `at ${timeWords(thread.from_seconds)} `}
            {thread.version === version ? '' : `of v${thread.version} `}
            {thread.resolved ? '(addressed)' : ''}
          </p>
          <p className="guest-words">{thread.text}</p>
          {(answers.get(thread.id) ?? []).map(({ id, by_name, text }) => (
            <p key={id} className="guest-words guest-answer">
              <strong>{by_name}</strong> {text}
            </p>
          ))}
          {answer ? <Answer number={at + 1} send={(words) => answer(thread.id, words)} /> : null}
        </li>
      ))}
    </ol>
  )
}

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
