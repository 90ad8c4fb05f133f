// In charge of short names for the types of the service's responses, which are all derived from the contract.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { TaskCard } from '@atelier/contract/tasks.ts'
import type { CallResult } from '@atelier/contract/wire/calls.ts'

export type BoardPage = CallResult<'tasksBoard'>
export type Card = TaskCard
export type TaskSchema = CallResult<'tasksSchema'>
export type Person = CallResult<'listUsers'>['items'][number]
export type Product = CallResult<'listProducts'>['items'][number]
export type TaskTemplateHead = CallResult<'listTaskTemplates'>['items'][number]
export type Creative = CallResult<'getCreative'>
export type Marks = CallResult<'getCreativeMarks'>
export type Provenance = NonNullable<CallResult<'getCreativeProvenance'>>
export type Credentials = CallResult<'getFileCredentials'>
export type Comment = CallResult<'createComment'>
export type Activity = CallResult<'listActivity'>['items'][number]
export type Launch = CallResult<'listLaunches'>['items'][number]
export type RunCard = CallResult<'listRuns'>['items'][number]
export type Money = CallResult<'getMoney'>
export type Budget = Money['budgets'][number]
export type Approval = CallResult<'listApprovals'>['items'][number]
export type Provider = CallResult<'listProviders'>['items'][number]
export type Token = CallResult<'listTokens'>['items'][number]
export type Automation = CallResult<'listAutomations'>['items'][number]
export type Notice = CallResult<'listNotices'>['items'][number]
export type NoticeSettings = CallResult<'getNoticeSettings'>
export type Caller = CallResult<'getCaller'>
export type LookupRow = CallResult<'lookupCreatives'>[number]
export type FilterField = TaskSchema['filter_fields'][number]
export type Labelled = { value: string; label: string }
/** The name of a column of the board, which is a status or `deleted`. */
export type ColumnName = TaskStatus | 'deleted'

/** The task in an answer, which has what the task refers to beside it if that was asked for. */
export const taskOf = (answer: CallResult<'getTask'>) => ('included' in answer ? answer.task : answer)
