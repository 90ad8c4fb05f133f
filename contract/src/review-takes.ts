// In charge of the wire shapes of takes: for a comment on a picture, the picture's run can generate the picture again as a take.
import Type from 'typebox'
import { RunStatus } from './enums.ts'
import { takeStates } from './review-rules.ts'
import { RunPlan, RunStart } from './runs.ts'
import { Closed, DateTime, Enumeration, Id, Nullable } from './wire/schema.ts'
import { Author } from './workspace.ts'

export const ReviewTake = Closed(
  {
    id: Id(),
    state: Enumeration(takeStates, {
      description:
        'under_way: its run has not ended · proposed: it brought a version, which waits to be used or dismissed · used, dismissed: somebody decided so · failed: `error` says why, and it may be tried again.',
    }),
    run_id: Nullable(Id({ description: 'The run that makes it; null once that is gone for good.' })),
    run_status: Nullable(RunStatus),
    version: Nullable(Type.Integer({ minimum: 1, description: 'The version that it brought.' })),
    error: Nullable(Type.String()),
    by: Author,
    at: DateTime(),
    ended_at: Nullable(DateTime()),
  },
  { $id: 'ReviewTake', description: 'A new take of what a comment is about.' },
)
export type ReviewTake = Type.Static<typeof ReviewTake>

export const ReviewTakePlan = Closed(
  {
    why_not: Nullable(Type.String({ description: 'Why no new take can be made; null where one can.' })),
    run_id: Nullable(Id({ description: 'The run behind the version.' })),
    node_id: Nullable(Type.String({ description: 'The node that gets the words and is rolled again.' })),
    item: Nullable(Type.Integer({ description: 'Its item, where it runs once per element.' })),
    credits: Nullable(RunPlan.properties.credits),
    money: Nullable(RunPlan.properties.money),
    message: Nullable(Type.String({ description: 'What of the price is not known.' })),
  },
  { $id: 'ReviewTakePlan', description: 'What a new take would be and cost.' },
)
export type ReviewTakePlan = Type.Static<typeof ReviewTakePlan>

export const ReviewTakeStart = Closed(
  { max_cost: RunStart.properties.max_cost },
  { $id: 'ReviewTakeStart', description: 'A bound on what it may cost; none is needed where no budget asks for one.' },
)
export type ReviewTakeStart = Type.Static<typeof ReviewTakeStart>

const verdicts = ['use', 'dismiss'] as const
export const ReviewTakeVerdict = Closed({ verdict: Enumeration(verdicts) }, { $id: 'ReviewTakeVerdict' })
