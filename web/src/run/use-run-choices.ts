// In charge of reading the names by which runs of a graph are told apart: those of their tasks and owners.
import { useQueries, useQuery } from '@tanstack/react-query'
import { personName } from '../lib/people.ts'
import { peopleQuery, taskQuery } from '../lib/queries.ts'
import { type Choice, type Compared, choiceOf } from './compare-choices.ts'
import { taskOf } from './task-of-run.ts'

/** The runs as they are told apart. Runs of one graph are mostly of a few tasks, so each of these is read once. */
export function useRunChoices(runs: readonly Compared[]): Choice[] {
  const people = useQuery(peopleQuery).data
  const ids = [...new Set(runs.flatMap((run) => taskOf(run) ?? []))]
  const read = useQueries({ queries: ids.map((id) => ({ ...taskQuery(id), retry: false, staleTime: 60_000 })) })
  const tasks = new Map(ids.map((id, at) => [id, read[at]?.data?.task]))
  const owners = new Map(people?.map((person) => [person.id, personName(person)]))
  return runs.map((run) => choiceOf(run, { task: (id) => tasks.get(id), owner: (id) => owners.get(id) }))
}
