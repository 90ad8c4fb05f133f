// In charge of the form for a new comment on a creative: the comment's text, mark, time in a film or sound, and who can see it.
import { mentionedIn } from '@atelier/contract/mentions.ts'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../lib/api.ts'
import { peopleQuery } from '../lib/queries.ts'
import { isCommand } from '../ui/keys.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { MentionChoice } from '../ui/mention-choice.tsx'
import { tellError } from '../ui/toasts.tsx'
import { useTold } from '../ui/told.tsx'
import { commentKey } from './draft-keys.ts'
import { forgetSentMark, useKeptMark } from './kept-mark.ts'
import { backToField, backToViewer, leaveField } from './leave-field.ts'
import { type Tool, timeWords } from './marks.ts'
import { useKeptText } from './use-kept-text.ts'
import type { Reviewing } from './use-review.ts'

const tools: readonly (readonly [Tool, string])[] = [
  ['pin', 'Pin'],
  ['box', 'Box'],
  ['strokes', 'Draw'],
]

export function Composer({ review }: { review: Reviewing }) {
  const { creativeId, version, field, media, film, tool, setTool, mark, setMark, at, setAt, refresh, choose } = review
  const people = useQuery(peopleQuery).data ?? []
  const kept = useKeptText(commentKey(creativeId ?? ''))
  const { text, write } = kept
  useKeptMark(review, text.trim() !== '')
  const [forGuests, setForGuests] = useState(false)
  const [told, tell] = useTold()
  if (creativeId === undefined || !version) return null
  const isReady = text.trim() !== '' && !kept.isSending
  const post = (text: string) =>
    call('createReviewComment', {
      params: { creative_id: creativeId },
      body: {
        ...{ text, version: version.number, mark, from_seconds: at, mentions: mentionedIn(text, people) },
        visibility: forGuests ? 'guests' : 'internal',
      },
    }).then(
      ({ id }) => {
        forgetSentMark(creativeId, mark, at)
        // What the user has drawn or chosen since for the next comment stays.
        setAt((now) => (now === at ? null : now))
        setMark((now) => (now === mark ? null : now))
        setTool((now) => (now === tool ? null : now))
        // Each comment that guests are to see is marked so by itself: what comes next may be for the team only.
        setForGuests((now) => (now === forGuests ? false : now))
        tell('Comment sent')
        refresh()
        choose(id)
        return true
      },
      (error: unknown) => {
        tellError(error, 'Not sent')
        return false
      },
    )
  const send = async () => {
    if (isReady && !(await kept.send(post))) backToField(field.current)
  }
  const mention = (name: string) => {
    write(`${text}${text === '' || text.endsWith(' ') ? '' : ' '}@${name} `)
    field.current?.focus()
  }
  /** Of a mark that came back with its comment, no tool is on: it would take the focus and the arrow keys. */
  const used = tool ?? mark?.kind ?? null
  const press = (kind: Tool) => {
    setMark(null)
    if (used !== kind) review.holdFrame()
    setTool(used === kind ? null : kind)
  }
  return (
    <form
      className="review-composer"
      onSubmit={(event) => {
        event.preventDefault()
        // The pressed button is off while the comment is sent and would lose the focus, and with it the viewer its keys.
        if (isReady) backToViewer(event.currentTarget)
        void send()
      }}
      onKeyDown={(event) => {
        // Letters that are typed in this form must not trigger the keys of the viewer.
        event.stopPropagation()
        if (leaveField(event)) return
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isCommand(event)) void send()
      }}
    >
      <div className="review-row">
        {(media && !film ? [] : tools).map(([kind, name]) => (
          <button
            {...leaveEscape}
            key={kind}
            type="button"
            className="plain"
            aria-pressed={used === kind}
            onClick={() => press(kind)}
          >
            {name}
          </button>
        ))}
        {media ? (
          <button
            {...leaveEscape}
            type="button"
            className="plain"
            aria-pressed={at !== null}
            onClick={() => setAt(at === null ? media.currentTime : null)}
          >
            {at === null ? 'At this time' : `At ${timeWords(at)}`}
          </button>
        ) : null}
      </div>
      {tool && !mark ? (
        <p className="hint">
          Draw on the picture, with the mouse{tool === 'strokes' ? ' or a finger' : ', a finger or the arrow keys'}.
        </p>
      ) : null}
      <textarea
        {...leaveEscape}
        ref={field}
        aria-label={`Comment on version ${version.number}`}
        placeholder="What should change? @name addresses somebody."
        rows={3}
        maxLength={5000}
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
      <MentionChoice field={field} text={text} setText={write} />
      <div className="review-row">
        <button {...leaveEscape} type="submit" className="plain" disabled={!isReady}>
          Comment
        </button>
        <select
          {...leaveEscape}
          aria-label="Address somebody"
          value=""
          onKeyDown={openInsteadOfWalking}
          onChange={({ currentTarget }) => mention(currentTarget.value)}
        >
          <option value="">@</option>
          {people.map(({ id, name }) => (name ? <option key={id}>{name}</option> : null))}
        </select>
        <label>
          <input
            {...leaveEscape}
            type="checkbox"
            checked={forGuests}
            onChange={({ currentTarget }) => setForGuests(currentTarget.checked)}
          />{' '}
          Guests see it
        </label>
      </div>
      {told}
    </form>
  )
}

/** On a closed list, an arrow or a letter would choose at once, and whoever is reached first would be addressed. */
function openInsteadOfWalking(event: KeyboardEvent<HTMLSelectElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !('showPicker' in HTMLSelectElement.prototype)) return
  if (!/^(?:Arrow.+|Home|End|Page.+|[^ ])$/.test(event.key)) return
  event.preventDefault()
  event.currentTarget.showPicker()
}
