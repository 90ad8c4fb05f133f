// In charge of the queries that several pages use: each query has a key and a function that reads the data.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, callTagged } from './api.ts'
import { readSignIn } from './session.ts'
import type { SpendBy } from './spend-csv.ts'
import type { Approval, Automation, Marks, Person, Product, TaskTemplateHead, Token } from './types.ts'

type ListPage<T> = { items: T[]; meta: { next_cursor: string | null } }

/** Reads all pages of a list that is short enough to be kept in memory, such as people, products or tokens. */
export async function everyPage<T>(
  fetchPage: (query: { limit: number; cursor?: string }) => Promise<ListPage<T>>,
): Promise<T[]> {
  const items: T[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: ListPage<T> = await fetchPage({ limit: 100, ...(cursor === '' ? {} : { cursor }) })
    items.push(...page.items)
    cursor = page.meta.next_cursor
  }
  return items
}

const minutes = (count: number) => count * 60_000

export const callerQuery = queryOptions({
  queryKey: ['caller'],
  queryFn: () => call('getCaller'),
  staleTime: minutes(5),
})
export const signInQuery = queryOptions({ queryKey: ['sign-in'], queryFn: readSignIn })
export const schemaQuery = queryOptions({
  queryKey: ['schema'],
  queryFn: () => call('tasksSchema'),
  staleTime: minutes(30),
})
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: (): Promise<Person[]> => everyPage((query) => call('listUsers', { query })),
  staleTime: minutes(1),
})
export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: (): Promise<Product[]> => everyPage((query) => call('listProducts', { query })),
  staleTime: minutes(1),
})
export const templatesQuery = queryOptions({
  queryKey: ['task-templates'],
  queryFn: (): Promise<TaskTemplateHead[]> => everyPage((query) => call('listTaskTemplates', { query })),
  staleTime: minutes(1),
})
/**
 * How often pages read sums of money again, in ms. Each call of a model changes them, and a report of every call would have each open
 * page sum up all calls.
 */
export const sumsMs = 10_000
export const moneyQuery = queryOptions({ queryKey: ['money', 'budgets'], queryFn: () => call('getMoney') })
/** What was spent from the first moment of a day on; `from`: null for all time. */
export const spendQuery = (by: SpendBy, from: string | null) =>
  infiniteQueryOptions({
    queryKey: ['money', 'spend', by, from],
    queryFn: ({ pageParam }) =>
      call('getSpend', {
        query: { by, limit: 200, ...(from !== null && { from }), ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
/** The money that the runs of a task have spent, by month. */
export const taskSpendQuery = (task_id: string) =>
  queryOptions({
    queryKey: ['money', 'spend-of-task', task_id],
    queryFn: () => call('getSpend', { query: { by: 'month', task_id, limit: 1000 } }),
  })
/** All approvals that no admin has decided yet. */
export const approvalsQuery = queryOptions({
  queryKey: ['money', 'approvals'],
  queryFn: (): Promise<Approval[]> => everyPage((query) => call('listApprovals', { query: { ...query, open: true } })),
})
export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: (): Promise<Token[]> => everyPage((query) => call('listTokens', { query })),
})
/** The list of AI providers, which only admins may read. */
export const providersQuery = queryOptions({ queryKey: ['providers'], queryFn: () => call('listProviders', {}) })
export const automationsQuery = queryOptions({
  queryKey: ['automations'],
  queryFn: (): Promise<Automation[]> => everyPage((query) => call('listAutomations', { query })),
})

/** A task with all of its members, the records that it refers to, and the `etag` that a write of the task has to contain. */
export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['task', id],
    queryFn: async () => {
      const { data, etag } = await callTagged('getTask', { params: { task_id: id }, query: { included: true } })
      if (!('included' in data)) throw new Error('The service left out what the task refers to.')
      return { ...data, etag }
    },
  })

/** A creative, also a deleted one until it is deleted for good. */
export const creativeQuery = (id: string) =>
  queryOptions({
    queryKey: ['creative', id],
    queryFn: () => call('getCreative', { params: { creative_id: id } }),
  })

export const creativesQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['creatives', taskId],
    queryFn: () => everyPage((query) => call('listCreatives', { params: { task_id: taskId }, query })),
  })

/** For each creative of a task: how the creative's file was made, and which labels it needs. */
export const marksQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['marks', taskId],
    queryFn: (): Promise<Marks[]> =>
      everyPage((query) => call('listTaskMarks', { params: { task_id: taskId }, query })),
  })

/** A file's content credentials. They are outdated after 30 minutes, because the list of trusted issuers may change. */
export const credentialsQuery = (digest: string) =>
  queryOptions({
    queryKey: ['credentials', digest],
    queryFn: () => call('getFileCredentials', { params: { digest } }),
    staleTime: minutes(30),
  })

export const commentsQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['comments', taskId],
    queryFn: () => everyPage((query) => call('listComments', { params: { task_id: taskId }, query })),
  })

export const taskRunsQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['runs', 'of-task', taskId],
    queryFn: () => everyPage((query) => call('listRuns', { query: { ...query, task_id: taskId } })),
  })

export const provenanceQuery = (creativeId: string) =>
  queryOptions({
    queryKey: ['provenance', creativeId],
    queryFn: () => call('getCreativeProvenance', { params: { creative_id: creativeId } }),
  })

export const activityQuery = (taskId: string) =>
  infiniteQueryOptions({
    queryKey: ['activity', taskId],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('listActivity', {
        params: { task_id: taskId },
        query: { limit: 30, ...(pageParam === '' ? {} : { cursor: pageParam }) },
      }),
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
  })

export const launchesQuery = (taskId: string) =>
  infiniteQueryOptions({
    queryKey: ['launches', taskId],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('listLaunches', {
        params: { task_id: taskId },
        query: { limit: 30, ...(pageParam === '' ? {} : { cursor: pageParam }) },
      }),
    getNextPageParam: (page) => page.meta.next_cursor ?? undefined,
  })

/**
 * The last change of the member `member` of a creative, or of the task itself if `creativeId` is null. Null if no such change is
 * among the task's last 100 activities. `value`, the member's present value, only makes the query run again for a new value.
 */
export const lastChangeQuery = (of: { taskId: string; creativeId: string | null }, member: string, value: string) =>
  queryOptions({
    queryKey: ['activity', of.taskId, 'of', of.creativeId, member, value],
    queryFn: async () => {
      const { items } = await call('listActivity', { params: { task_id: of.taskId }, query: { limit: 100 } })
      return items.find(({ subject_id, changes }) => subject_id === of.creativeId && member in changes) ?? null
    },
  })
