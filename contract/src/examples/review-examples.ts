// In charge of the example records for versions, comments and decisions that the documentation shows.
import type { CreativeReview, CreativeVersion, ReviewComment, ReviewDecision, TaskReviewers } from '../review.ts'
import type { ReviewTake, ReviewTakePlan } from '../review-takes.ts'
import { examples } from './examples.ts'
import { runExamples } from './run-examples.ts'

const at = '2026-03-04T12:00:00.000Z'
const by = { user_id: examples.ids.user, token_id: null, name: 'Ada' }
const creative_id = examples.ids.creative
const { digest: file, media_type, size } = examples.file

const version: CreativeVersion = {
  creative_id,
  number: 2,
  file,
  media_type,
  size,
  current: true,
  by,
  at,
  made_by: null,
}

const comment: ReviewComment = {
  id: '0192f0c1-2222-7000-8000-00000000000a',
  creative_id,
  version: 2,
  thread_id: null,
  by,
  text: 'Make this warmer.',
  mark: { kind: 'pin', lines: [[[0.25, 0.5]]] },
  from_seconds: null,
  to_seconds: null,
  visibility: 'internal',
  mentions: [],
  created_at: at,
  updated_at: at,
  resolved: null,
  take: null,
}

const take: ReviewTake = {
  ...{
    id: '0192f0c1-2222-7000-8000-00000000000c',
    state: 'under_way',
    run_id: runExamples.run.id,
    run_status: 'queued',
  },
  ...{ version: null, error: null, by, at, ended_at: null },
}

const takePlan: ReviewTakePlan = {
  ...{ why_not: null, run_id: runExamples.run.id, node_id: 'image', item: 0, message: null },
  credits: { least: 10, most: 10 },
  money: { currency: 'EUR', least: 40_000, most: 40_000, unpriced: [] },
}

const decision: ReviewDecision = {
  id: '0192f0c1-2222-7000-8000-00000000000b',
  ...{ creative_id, version: 2, file, decision: 'accepted', note: '', by, at, void_at: null },
}

const review: CreativeReview = {
  ...{ creative_id, name: examples.creative.name, version: 2, file, state: 'accepted', awaited: [] },
  ...{ decisions: [decision], open_comments: 1 },
}

const reviewers: TaskReviewers = {
  ...{ task_id: examples.ids.task, needs: 'one', reviewers: [examples.ids.user], moves_to: 'creative_check' },
}

export const reviewExamples = { version, comment, take, takePlan, decision, review, reviewers }
