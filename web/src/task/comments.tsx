// In charge of the comments on a task: showing, writing, editing and deleting them.

import { ActionIcon, Button, Group, Menu, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../lib/api.ts'
import { agoWords, fullWords } from '../lib/dates.ts'
import { wordsOf } from '../lib/errors.ts'
import { forgetAllBut, forgetDraft } from '../lib/kept-drafts.ts'
import { authorName, hueOf, initialsOf } from '../lib/people.ts'
import { callerQuery, commentsQuery } from '../lib/queries.ts'
import type { Comment } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { keptText, useKeptText } from '../review/use-kept-text.ts'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import { MentionChoice } from '../ui/mention-choice.tsx'
import { OvertakenNote } from '../ui/overtaken-note.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { tellError } from '../ui/toasts.tsx'
import { useRowsFocus } from '../ui/use-rows-focus.ts'
import { useSecondStep } from '../ui/use-second-step.ts'

export function Comments({ taskId, disabled }: { taskId: string; disabled: boolean }) {
  const comments = useQuery(commentsQuery(taskId))
  const refresh = useRefresh(taskId)
  const rows = useRowsFocus<HTMLUListElement>()
  // The text of a comment that is deleted meanwhile could not be saved any more.
  useEffect(() => {
    if (comments.data)
      forgetAllBut(
        textKey(taskId, ''),
        comments.data.map(({ id }) => textKey(taskId, id)),
      )
  }, [taskId, comments.data])
  if (comments.isPending) return <Loading what="the comments" />
  if (!comments.data) return <Failed error={comments.error} retry={() => void comments.refetch()} />
  return (
    <div className="comments">
      {comments.data.length === 0 ? <p className="hint">Nobody has said anything yet.</p> : null}
      <ul className="thread" aria-label="Comments" {...rows}>
        {comments.data.map((comment) => (
          <OneComment key={comment.id} draft={textKey(taskId, comment.id)} {...{ comment, refresh, disabled }} />
        ))}
      </ul>
      {disabled ? null : (
        <Write
          label="Write a comment"
          draft={`${taskId} comment`}
          send={(text) => call('createComment', { params: { task_id: taskId }, body: { text } })}
          sent={refresh}
        />
      )}
    </div>
  )
}

function useRefresh(taskId: string): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of ['comments', 'task', 'activity']) void client.invalidateQueries({ queryKey: [key, taskId] })
    void client.invalidateQueries({ queryKey: ['feed'] })
  }
}

/** The key under which a changed text of a comment is kept until it is saved. */
const textKey = (taskId: string, commentId: string): string => `${taskId} text of comment ${commentId}`

/** `draft`: the key under which a changed text is kept. */
type CommentProps = { comment: Comment; draft: string; refresh: () => void; disabled: boolean }

function OneComment({ comment, draft, refresh, disabled }: CommentProps) {
  const caller = useQuery(callerQuery).data
  const [editing, setEditing] = useState(() => !disabled && keptText(draft) !== undefined)
  const menu = useRef<HTMLButtonElement>(null)
  const now = useNow()
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
            <Menu width={160}>
              <Menu.Target>
                <ActionIcon ref={menu} size="sm" aria-label={`Menu of the comment of ${name}`}>
                  <Icon name="more" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {mine ? <Menu.Item onClick={() => setEditing(true)}>Edit</Menu.Item> : null}
                <DeleteItem remove={remove.mutate} isPending={remove.isPending || remove.isSuccess} />
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </div>
        {editing ? (
          <Write
            label="Change the comment"
            initial={comment.text}
            draft={draft}
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
 * `draft`: the key under which unsent text is kept when the user leaves or reloads the page. `close` is called after all that was
 * typed has been sent, or when the user gives it up; a field without `close` always stays.
 */
type WriteProps = {
  draft: string
  label: string
  initial?: string
  send: (text: string) => Promise<unknown>
  sent: () => void
  close?: () => void
}

function Write({ label, initial = '', draft, send, sent, close }: WriteProps) {
  const kept = useKeptText(draft, initial)
  const { text, write, isSending, isOvertaken } = kept
  const field = useRef<HTMLTextAreaElement>(null)
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
