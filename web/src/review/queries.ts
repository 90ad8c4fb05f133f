// In charge of the queries about reviews: versions, comments, decisions, reviewers, and the plan of a new take.

import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { everyPage } from '../lib/queries.ts'

export type Version = CallResult<'listCreativeVersions'>['items'][number]
export type Said = CallResult<'createReviewComment'>
export type Review = CallResult<'decideReview'>
export type Decision = CallResult<'listReviewDecisions'>['items'][number]
export type Reviewers = CallResult<'getTaskReviewers'>

export const versionsQuery = (creativeId: string) =>
  queryOptions({
    queryKey: ['versions', creativeId],
    queryFn: (): Promise<Version[]> =>
      everyPage((query) => call('listCreativeVersions', { params: { creative_id: creativeId }, query })),
  })

export const saidQuery = (creativeId: string) =>
  queryOptions({
    queryKey: ['review-comments', creativeId],
    queryFn: (): Promise<Said[]> =>
      everyPage((query) => call('listReviewComments', { params: { creative_id: creativeId }, query })),
  })

export const takePlanQuery = (commentId: string) =>
  queryOptions({
    queryKey: ['take-plan', commentId],
    queryFn: () => call('planReviewTake', { params: { comment_id: commentId } }),
    // The price of a take depends on which results the node cache contains at this moment, so an earlier plan is never reused.
    staleTime: 0,
    gcTime: 0,
  })

export const decisionsQuery = (creativeId: string) =>
  queryOptions({
    queryKey: ['decisions', creativeId],
    queryFn: (): Promise<Decision[]> =>
      everyPage((query) => call('listReviewDecisions', { params: { creative_id: creativeId }, query })),
  })

export const taskReviewQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['review', taskId],
    queryFn: (): Promise<Review[]> =>
      everyPage((query) => call('listTaskReview', { params: { task_id: taskId }, query })),
  })

export const reviewersQuery = (taskId: string) =>
  queryOptions({
    queryKey: ['reviewers', taskId],
    queryFn: () => call('getTaskReviewers', { params: { task_id: taskId } }),
  })
