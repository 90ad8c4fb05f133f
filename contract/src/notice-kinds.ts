// In charge of the table of notice kinds: text, link, and whether a notice becomes unread again if its cause occurs again. Pure.
// To add a kind, add an entry here, and call `writeNotices` in the transaction that causes the notice.

/** What a notice is about; `by` is the name of the person who caused it. A member is null if it is unknown or does not apply. */
export type NoticeFacts = {
  by: string | null
  task: { id: string; number: number; name: string } | null
  run: { id: string; graph: string | null } | null
  creative: { id: string; name: string } | null
  graph: { id: string; name: string } | null
}

/** Used in a link in place of a creative's id; the page then opens the first creative that waits for the reader's decision. */
export const awaitingMe = 'awaiting-me'

type NoticeRule = {
  label: string
  /** Whether the notice becomes unread again if its cause occurs again; if false, a second occurrence changes nothing. */
  returns: boolean
  /** Whether mail is sent for this kind to people who have not changed their settings. */
  mailed: boolean
  sentence: (facts: NoticeFacts) => string
  path: (facts: NoticeFacts) => string
}

const who = ({ by }: NoticeFacts): string => by ?? 'Somebody'
const taskName = ({ task }: NoticeFacts): string => (task ? `#${task.number} “${task.name}”` : 'a task')
const runName = ({ run }: NoticeFacts): string => (run?.graph ? `The run of “${run.graph}”` : 'A run')
const forTask = (facts: NoticeFacts): string => (facts.task ? ` for ${taskName(facts)}` : '')
const creativeName = ({ creative }: NoticeFacts): string => (creative ? `“${creative.name}”` : 'a creative')
const runPath = ({ run }: NoticeFacts): string => (run ? `/runs/${run.id}` : '/runs')
const taskPath =
  (part = '') =>
  ({ task }: NoticeFacts): string =>
    task ? `/tasks/${task.id}${part}` : '/'

/** The page where the reader decides about the creative; if no creative is given, about the first that waits for the reader. */
const creativePath = (facts: NoticeFacts): string => taskPath(`#creatives/${facts.creative?.id ?? awaitingMe}`)(facts)

/** Names what was started: a new take of a creative, or a run. */
const startName = (facts: NoticeFacts): string =>
  facts.creative
    ? `a new take of ${creativeName(facts)} of ${taskName(facts)}`
    : `a start of ${facts.run?.graph ? `“${facts.run.graph}”` : 'a run'}${forTask(facts)}`
const startPath = (facts: NoticeFacts): string => (facts.creative ? creativePath : runPath)(facts)

export const noticeRules = {
  gate_waits: {
    label: 'A run waits for an answer',
    returns: true,
    mailed: true,
    sentence: (facts) => `${runName(facts)}${forTask(facts)} waits for an answer`,
    path: runPath,
  },
  run_failed: {
    label: 'A run failed',
    returns: true,
    mailed: true,
    sentence: (facts) => `${runName(facts)}${forTask(facts)} failed`,
    path: runPath,
  },
  mentioned: {
    label: 'Somebody mentioned me',
    returns: false,
    mailed: true,
    sentence: (facts) => `${who(facts)} mentioned you on ${taskName(facts)}`,
    path: taskPath('#comments'),
  },
  mentioned_in_review: {
    label: 'Somebody mentioned me on a creative',
    returns: false,
    mailed: true,
    sentence: (facts) => `${who(facts)} mentioned you on ${creativeName(facts)} of ${taskName(facts)}`,
    path: creativePath,
  },
  assigned: {
    label: 'I was made responsible for a task',
    returns: true,
    mailed: false,
    sentence: (facts) => `${who(facts)} made you responsible for ${taskName(facts)}`,
    path: taskPath(),
  },
  review_asked: {
    label: 'My decision is asked for',
    returns: true,
    mailed: true,
    sentence: (facts) => `${who(facts)} asks for your decision about the creatives of ${taskName(facts)}`,
    path: creativePath,
  },
  changes_wanted: {
    label: 'Somebody wants changes',
    returns: true,
    mailed: true,
    sentence: (facts) => `${who(facts)} wants changes to ${creativeName(facts)} of ${taskName(facts)}`,
    path: creativePath,
  },
  take_proposed: {
    label: 'A take that I asked for is there',
    returns: false,
    mailed: true,
    sentence: (facts) => `The take that you asked for of ${creativeName(facts)} of ${taskName(facts)} is proposed`,
    path: creativePath,
  },
  take_failed: {
    label: 'A take that I asked for failed',
    returns: false,
    mailed: true,
    sentence: (facts) => `The take that you asked for of ${creativeName(facts)} of ${taskName(facts)} failed`,
    path: creativePath,
  },
  approval_asked: {
    label: 'Somebody asks me to approve a start',
    returns: true,
    mailed: true,
    sentence: (facts) => `${who(facts)} asks you to approve ${startName(facts)}`,
    path: () => '/money',
  },
  start_approved: {
    label: 'A start that I asked for was approved',
    returns: true,
    mailed: true,
    sentence: (facts) => `${who(facts)} approved ${startName(facts)}: it can be started now`,
    path: startPath,
  },
  start_declined: {
    label: 'A start that I asked for was declined',
    returns: true,
    mailed: true,
    sentence: (facts) => `${who(facts)} declined ${startName(facts)}`,
    path: startPath,
  },
  deadline_near: {
    label: 'A deadline is less than a day away',
    returns: false,
    mailed: false,
    sentence: (facts) => `The deadline of ${taskName(facts)} is less than a day away`,
    path: taskPath(),
  },
  deadline_passed: {
    label: 'A deadline has passed',
    returns: false,
    mailed: false,
    sentence: (facts) => `The deadline of ${taskName(facts)} has passed`,
    path: taskPath(),
  },
  model_ends: {
    label: 'A model of my graph ends soon',
    returns: false,
    mailed: true,
    sentence: ({ graph }) => `A model that “${graph?.name ?? 'a graph'}” asks ends soon, or has ended`,
    path: ({ graph }) => (graph ? `/graphs/${graph.id}` : '/graphs'),
  },
} as const satisfies Record<string, NoticeRule>

export type NoticeKind = keyof typeof noticeRules
export const noticeKinds = Object.keys(noticeRules) as [NoticeKind, ...NoticeKind[]]
