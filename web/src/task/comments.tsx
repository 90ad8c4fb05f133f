// In charge of the comments on a task: showing, writing, editing and deleting them.

import { Button, Group, Menu, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../lib/api.ts'
import { agoWords, fullWords } from '../lib/dates.ts'
import { wordsOf } from '../lib/errors.ts'
import { forgetDraft } from '../lib/kept-drafts.ts'
import { authorName, hueOf, initialsOf } from '../lib/people.ts'
import { callerQuery, commentsQuery } from '../lib/queries.ts'
import type { Caller, Comment } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { keptText, useKeptText, useKeptUnder } from '../review/use-kept-text.ts'
import { isCommand } from '../ui/keys.ts'
import { MentionChoice } from '../ui/mention-choice.tsx'
import { OvertakenNote } from '../ui/overtaken-note.tsx'
import { RowMenu } from '../ui/row-menu.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'
import { useTold } from '../ui/told.tsx'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { useSecondStep } from '../ui/use-second-step.ts'
import { commentDrafts, textsOfComments } from './removed.ts'
import { RemovedTexts } from './removed-texts.tsx'
import { UnsentComment } from './unsent-comment.tsx'
import { useAtEnd } from './use-at-end.ts'
import { more, useEarlier, useStayInPlace } from './use-earlier.ts'
import './comments.css'

export function Comments({ taskId, disabled }: { taskId: string; disabled: boolean }) {
  const comments = useQuery(commentsQuery(taskId))
  if (comments.isPending) return <Loading what="the comments" />
  if (!comments.data) return <Failed error={comments.error} retry={() => void comments.refetch()} />
  return <Read {...{ taskId, disabled }} comments={comments.data} />
}

type ReadProps = { taskId: string; comments: readonly Comment[]; disabled: boolean }

/** A long thread scrolls by itself, so that the field for a new comment stays in sight. */
function Read({ taskId, comments, disabled }: ReadProps) {
  const refresh = useRefresh(taskId)
  const [told, tell] = useTold()
  // Called here, and so after the note below the rows has taken the focus of a comment that was removed while it was being changed.
  const rows = useRowsFocus<HTMLUListElement>()
  const place = useRef<HTMLElement>(null)
  const toEnd = useAtEnd(place, rows.ref)
  return (
    <div className="comments">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="comments-read" aria-label="Thread" tabIndex={0} ref={place}>
        {comments.length === 0 ? <p className="hint">Nobody has said anything yet.</p> : null}
        <Thread {...{ taskId, rows, refresh, disabled, comments }} />
      </section>
      <RemovedChanges {...{ taskId, disabled, comments }} />
      {disabled ? (
        <UnsentComment draft={commentKey(taskId)} />
      ) : (
        <Write
          label="Write a comment"
          draft={commentKey(taskId)}
          send={(text) => call('createComment', { params: { task_id: taskId }, body: { text } })}
          sent={() => {
            toEnd()
            tell('Comment sent')
            refresh()
          }}
        />
      )}
      {told}
    </div>
  )
}

type ThreadProps = ReadProps & {
  rows: ReturnType<typeof useRowsFocus<HTMLUListElement>>
  refresh: () => void
}

function Thread({ taskId, comments, rows, refresh, disabled }: ThreadProps) {
  const caller = useQuery(callerQuery).data
  const now = useNow()
  const { shown, left, showMore } = useEarlier(comments, (id) => keptText(textKey(taskId, id)) !== undefined)
  useStayInPlace(rows.ref, shown)
  const showEarlier = () => {
    // The button disappears with the last of them, and the focus would be lost with it.
    if (left <= more) focusRow(rows.ref.current?.firstElementChild)
    showMore()
  }
  return (
    <>
      {left === 0 ? null : (
        <Button variant="subtle" size="compact-sm" onClick={showEarlier}>
          Earlier comments ({left.toLocaleString('en')})
        </Button>
      )}
      <ul className="thread" aria-label="Comments" {...rows}>
        {shown.map((comment) => (
          <OneComment
            key={comment.id}
            draft={textKey(taskId, comment.id)}
            {...{ comment, caller, now, refresh, disabled }}
          />
        ))}
      </ul>
    </>
  )
}

function focusRow(row: Element | null | undefined): void {
  if (!(row instanceof HTMLElement)) return
  row.tabIndex = -1
  row.focus({ preventScroll: true })
}

/** Changed texts of comments that were deleted meanwhile. A component of its own, because a key in the field below draws it again. */
function RemovedChanges({ taskId, comments, disabled }: ReadProps) {
  const changed = useKeptUnder(commentDrafts(taskId)).map((id) => textKey(taskId, id))
  const comment = useKeptText(commentKey(taskId))
  const act = (text: string) => comment.write(comment.text.trim() === '' ? text : `${comment.text}\n${text}`)
  return (
    <RemovedTexts
      taskId={taskId}
      removed={textsOfComments(taskId, changed, comments)}
      next={[':scope > .write textarea']}
      {...(disabled ? {} : { use: { label: 'Make it a comment', act } })}
    />
  )
}

function useRefresh(taskId: string): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of ['comments', 'task', 'activity']) void client.invalidateQueries({ queryKey: [key, taskId] })
    void client.invalidateQueries({ queryKey: ['feed'] })
  }
}

/** The key under which a new comment is kept until it is sent. */
const commentKey = (taskId: string): string => `${taskId} comment`
/** The key under which a changed text of a comment is kept until it is saved. */
const textKey = (taskId: string, commentId: string): string => commentDrafts(taskId) + commentId

/** `draft`: the key under which a changed text is kept. */
type CommentProps = {
  comment: Comment
  caller: Caller | undefined
  now: number
  draft: string
  refresh: () => void
  disabled: boolean
}

function OneComment({ comment, caller, now, draft, refresh, disabled }: CommentProps) {
  const [editing, setEditing] = useState(() => !disabled && keptText(draft) !== undefined)
  /** Whether the user has just opened the field, which then gets the focus; a field of an earlier visit does not. */
  const [isOpened, setIsOpened] = useState(false)
  const edit = () => {
    setIsOpened(true)
    setEditing(true)
  }
  const menu = useRef<HTMLButtonElement>(null)
  const mine = comment.by.user_id !== null && comment.by.user_id === caller?.user?.id
  const name = authorName(comment.by)
  const params = { comment_id: comment.id }
  const remove = useMutation({
    mutationFn: () => call('deleteComment', { params }),
    onSuccess: () => {
      forgetDraft(draft)
      refresh()
    },
    onError: (error) => tellError(error, 'Not deleted'),
  })
  return (
    <li>
      <span className="avatar" data-size="lg" data-hue={hueOf(comment.by.user_id ?? name)} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <div className="said">
        <div className="said-head">
          <strong>{name}</strong>
          <time dateTime={comment.created_at} title={fullWords(comment.created_at)}>
            {agoWords(comment.created_at, now)}
            {comment.updated_at === comment.created_at ? '' : ', changed'}
          </time>
          {!disabled && (mine || caller?.scopes.includes('admin')) ? (
            <RowMenu label={`Menu of the comment of ${name}`} width={160} button={menu}>
              {mine ? <Menu.Item onClick={edit}>Edit</Menu.Item> : null}
              <DeleteItem remove={remove.mutate} isPending={remove.isPending || remove.isSuccess} />
            </RowMenu>
          ) : null}
        </div>
        {editing ? (
          <Write
            label="Change the comment"
            initial={comment.text}
            draft={draft}
            focused={isOpened}
            send={(text) => call('patchComment', { params, body: { text } })}
            sent={refresh}
            close={() => {
              // The focus would be lost with the field.
              if (menu.current?.closest('li')?.contains(document.activeElement)) menu.current.focus()
              setEditing(false)
            }}
          />
        ) : (
          <p>{comment.text}</p>
        )}
      </div>
    </li>
  )
}

/** There is no way to restore a comment, so the item asks first. The menu stays open, and disappears together with the comment. */
function DeleteItem({ remove, isPending }: { remove: () => void; isPending: boolean }) {
  const { isAsking, handlers } = useSecondStep(remove, isPending)
  return (
    <Menu.Item className="danger-item" closeMenuOnClick={false} aria-disabled={isPending} {...handlers}>
      {isPending ? 'Deleting…' : isAsking ? 'Really delete' : 'Delete'}
    </Menu.Item>
  )
}

/**
 * `focused`: whether the field gets the focus when it appears. `draft`: the key under which unsent text is kept when the user leaves or reloads the page. `close` is called after all that was
 * typed has been sent, or when the user gives it up; a field without `close` always stays.
 */
type WriteProps = {
  draft: string
  label: string
  focused?: boolean
  initial?: string
  send: (text: string) => Promise<unknown>
  sent: () => void
  close?: () => void
}

function Write({ label, focused = false, initial = '', draft, send, sent, close }: WriteProps) {
  const kept = useKeptText(draft, initial)
  const { text, write, isSending, isOvertaken } = kept
  const field = useRef<HTMLTextAreaElement>(null)
  // Placing the caret at the end lets the user go on with the text.
  useEffect(() => {
    if (!focused || !field.current) return
    field.current.focus()
    field.current.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [focused])
  const sending = useMutation({ mutationFn: send, onSuccess: sent })
  const post = (typed: string) =>
    sending.mutateAsync(typed).then(
      () => true,
      () => false, // the field shows the error
    )
  const leave = () => {
    kept.forget()
    close?.()
  }
  const useMine = async () => {
    kept.rebase()
    if (await kept.send(post)) close?.()
  }
  const submit = async () => {
    // To send the same text again would mark the comment as changed.
    if (close && text.trim() === initial.trim()) leave()
    else if (isOvertaken) return
    else if (text.trim() !== '' && (await kept.send(post))) close?.()
  }
  return (
    <form
      className="write"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={`${label}. Ctrl+Enter sends it.`}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={20_000}
        value={text}
        error={sending.isError ? wordsOf(sending.error) : null}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isCommand(event)) return
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
          else if (event.key === 'Escape' && close) leave()
        }}
      />
      <MentionChoice field={field} text={text} setText={write} />
      {isOvertaken ? <OvertakenNote theirs={initial} useMine={() => void useMine()} takeTheirs={leave} /> : null}
      <Group gap="xs">
        {close ? (
          <Button variant="default" onClick={leave}>
            Cancel
          </Button>
        ) : null}
        <Button type="submit" disabled={text.trim() === ''} loading={isSending}>
          {initial === '' ? 'Comment' : 'Save'}
        </Button>
      </Group>
    </form>
  )
}
