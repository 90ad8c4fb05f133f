// In charge of the dialog about how a file was made: what users confirm about it, which labels it needs, and its credentials.
import type { CreativeMarksPatch } from '@atelier/contract/marks.ts'
import { SegmentedControl } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../lib/api.ts'
import { dateWords, fullWords } from '../lib/dates.ts'
import { marksQuery } from '../lib/queries.ts'
import { showAnswer } from '../lib/show-answer.ts'
import type { Creative, Marks } from '../lib/types.ts'
import { Failed, Loading } from '../ui/states.tsx'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { FileCredentials } from './credentials.tsx'
import '../ui/marks.css'
import { aiWords, metWords, sourceWords, whyWords } from '../lib/marks-words.ts'
import { Dialog } from '../ui/dialog.tsx'

type Props = { creative: Creative; disabled: boolean; close: () => void }

export function MarksDialog({ creative, disabled, close }: Props) {
  return (
    <Dialog onClose={close} title="Marks and label" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <p className="hint mono">{creative.name}</p>
      <Body creative={creative} disabled={disabled} />
    </Dialog>
  )
}

function Body({ creative, disabled }: Omit<Props, 'close'>) {
  const marks = useQuery(marksQuery(creative.task_id))
  if (marks.isPending) return <Loading what="its marks" />
  if (!marks.data) return <Failed error={marks.error} retry={() => void marks.refetch()} />
  const own = marks.data.find(({ creative_id }) => creative_id === creative.id)
  if (!own) return <p>This creative is gone.</p>
  if (own.file === null) return <p>There is no file on it yet. Put one on it first.</p>
  return (
    <div className="marks">
      <p>
        <strong>{aiWords(own.ai)}</strong>
        {own.source_type === null ? '' : `: the file says that it was ${sourceWords(own.source_type)}.`}
        {own.ai === null ? ': neither a run nor the file says how it was made.' : ''}
      </p>
      <Questions taskId={creative.task_id} marks={own} disabled={disabled} />
      <Demands demands={own.demands} />
      <FileCredentials digest={own.file} />
    </div>
  )
}

type Subject = Exclude<keyof CreativeMarksPatch, 'file'>

const questions: readonly { subject: Subject; ask: string; hint: string; said: (value: boolean) => string }[] = [
  {
    subject: 'synthetic_performer',
    ask: 'Does it show a person whom a model made?',
    hint: 'A synthetic performer: somebody who looks real and does not exist. New York wants ads to say so.',
    said: (value) => `Said that it shows ${value ? 'a' : 'no'} made-up person`,
  },
  {
    subject: 'deepfake',
    ask: 'Would what it shows pass for real, and is not?',
    hint: 'A deepfake: persons, places or events that look true and are generated. The EU wants a label.',
    said: (value) => `Said that it ${value ? 'would' : 'would not'} pass for real`,
  },
  {
    subject: 'label',
    ask: 'Does a visible label stand on it?',
    hint: 'Such as “AI-generated”, drawn by a graph or by whoever made the file.',
    said: (value) => `Said that ${value ? 'a label stands on it' : 'no label stands on it'}`,
  },
]

type AskedProps = { taskId: string; marks: Marks; disabled: boolean }

function Questions({ taskId, marks, disabled }: AskedProps) {
  return (
    <section className="marks-questions" aria-label="What a person confirms">
      {questions.map(({ subject, ...question }) => (
        <Question key={subject} {...{ taskId, marks, disabled, subject, ...question }} />
      ))}
    </section>
  )
}

const answerOf = (marks: Marks, subject: Subject) => (subject === 'label' ? marks.label.confirmed : marks[subject])

const wireOf = { yes: true, no: false, open: null } as const
type Choice = keyof typeof wireOf
const isChoice = (text: string): text is Choice => text in wireOf
const choiceOf = (value: boolean | null): Choice => (value === null ? 'open' : value ? 'yes' : 'no')

function Question({ taskId, marks, disabled, subject, ask, hint, said }: AskedProps & (typeof questions)[number]) {
  const [label, about] = [useId(), useId()]
  const confirm = useConfirm(taskId, marks, said)
  const answer = answerOf(marks, subject)
  const shown = confirm.isPending && confirm.variables ? confirm.variables.value : answer.value
  return (
    <div className="marks-question">
      <p id={label}>{ask}</p>
      <p id={about} className="hint">
        {hint}
      </p>
      <SegmentedControl
        aria-labelledby={label}
        aria-describedby={about}
        size="xs"
        disabled={disabled}
        value={choiceOf(shown)}
        data={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
          { value: 'open', label: 'Not asked' },
        ]}
        onChange={(text) =>
          isChoice(text) && confirm.mutate({ subject, value: wireOf[text], before: answer.value, file: marks.file })
        }
      />
      {answer.at === null ? null : (
        <span className="hint" title={fullWords(answer.at)}>
          {answer.by?.name ?? 'Somebody'}, {dateWords(answer.at)}
        </span>
      )}
    </div>
  )
}

/** `file`: the file that the user has looked at. */
type Confirmed = { subject: Subject; value: boolean | null; before: boolean | null; file: string | null }

/** Saves what the user confirmed, and offers to undo this. */
function useConfirm(taskId: string, marks: Marks, said: (value: boolean) => string) {
  const client = useQueryClient()
  const params = { creative_id: marks.creative_id }
  const write = async (subject: Subject, value: boolean | null, file: string | null) => {
    // With `file`, the service refuses an answer if there is another file by now, which this user has not looked at.
    const body = { [subject]: value, ...(file === null ? {} : { file }) }
    const { queryKey } = marksQuery(taskId)
    await showAnswer(client, queryKey, call('patchCreativeMarks', { params, body }), (now) =>
      client.setQueryData(queryKey, (list) => list?.map((one) => (one.creative_id === now.creative_id ? now : one))),
    )
    void client.invalidateQueries({ queryKey: ['activity', taskId] })
  }
  const readAgain = () => void client.invalidateQueries({ queryKey: marksQuery(taskId).queryKey })
  const putBack = async ({ subject, value, before, file }: Confirmed) => {
    const now = await call('getCreativeMarks', { params })
    const isAnother = now.file === file && answerOf(now, subject).value !== value
    if (isAnother) throw new Error('Somebody else has answered meanwhile; this is how it is now.')
    await write(subject, before, file)
  }
  const undo = (given: Confirmed) =>
    void putBack(given).then(
      () => tell('The answer is as it was'),
      (error: unknown) => {
        tellError(error, 'Not undone')
        readAgain()
      },
    )
  return useMutation({
    mutationFn: ({ subject, value, file }: Confirmed) => write(subject, value, file),
    onSuccess: (_none, given) =>
      tellUndoable(given.value === null ? 'Took the answer back' : said(given.value), () => undo(given), 'marks'),
    onError: (error) => {
      tellError(error, 'Not saved')
      readAgain()
    },
  })
}

function Demands({ demands }: Pick<Marks, 'demands'>) {
  if (demands.length === 0) {
    return <p className="hint">No market of this task demands a label on it, as far as is known.</p>
  }
  return (
    <section aria-label="Labels that are demanded">
      <h3>Labels that are demanded</h3>
      <ul className="marks-demands">
        {demands.map((demand) => {
          const { words, tone } = metWords(demand)
          return (
            <li key={demand.rule}>
              <span className="mark" data-tone={tone}>
                {words}
              </span>{' '}
              “{demand.words}”, for {demand.market} since {dateWords(demand.since)}, {whyWords(demand)}.{' '}
              {demand.waiver ? `Reason: ${demand.waiver.reason} ` : ''}
              <a href={demand.source.url} target="_blank" rel="noreferrer">
                {demand.source.title}
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
