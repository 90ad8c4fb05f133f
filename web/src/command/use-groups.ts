// In charge of combining what the command palette needs for its entries: the typed text, the service's results for it, and the
// actions that the user is allowed to perform.
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ManyActs } from '../board/many-acts.ts'
import { callerQuery, peopleQuery, schemaQuery, templatesQuery } from '../lib/queries.ts'
import { addressIn } from './addresses.ts'
import type { Group } from './entries.ts'
import { foundRuns } from './found-runs.ts'
import { offers } from './offers.ts'
import type { Step, Subject } from './steps.ts'
import { useActs } from './use-acts.ts'
import { few, useCreativesOf, useGraphs, useRuns, useTasks } from './use-found.ts'

type Given = {
  step: Step
  typed: string
  asked: string
  subject: Subject | null
  many: ManyActs | null
  goOn: (step: Step) => void
}

export function useGroups({ step, typed, asked, subject, many, goOn }: Given): { groups: Group[]; isReading: boolean } {
  const isFirst = step.kind === 'first'
  const isValueOf = (action: string) => step.kind === 'value' && step.action === action
  const tasks = useTasks(asked, isFirst || step.kind === 'task')
  const graphs = useGraphs(asked, (isFirst && asked !== '') || isValueOf('run'))
  // The service searches only the names of graphs. The latest runs are read too, because the palette also searches their states.
  const runs = useRuns(asked, isFirst && asked !== '')
  const lastRuns = useRuns('', isFirst && asked !== '')
  const creatives = useCreativesOf(asked, isFirst)
  const schema = useQuery(schemaQuery).data
  const people = useQuery({
    ...peopleQuery,
    enabled: isValueOf('assign') || (step.kind === 'many' && step.action === 'assign'),
  })
  const templates = useQuery({ ...templatesQuery, enabled: isFirst || step.kind === 'template' })
  const scopes = useQuery(callerQuery).data?.scopes ?? []
  const acts = useActs()
  const routes = Object.keys(useRouter().routesByPath)
  const known = {
    ...{ typed, asked, subject, many, address: addressIn(typed, location.origin, routes) },
    statuses: schema?.statuses ?? [],
    tasks: tasks.data?.tasks ?? [],
    graphs: graphs.data?.items ?? [],
    cutAt: {
      tasks: tasks.data?.meta.next_cursor == null ? null : few,
      graphs: graphs.data?.meta.next_cursor == null ? null : few,
    },
    ...foundRuns(runs.data, lastRuns.data),
    creatives: creatives.data ?? { handle: '', creatives: [] },
    templates: templates.data ?? [],
    people: people.data ?? [],
    mayWrite: scopes.includes('tasks:write'),
    mayRun: scopes.includes('runs:write'),
  }
  // Until the results for the present text arrive, those for the previous text are shown, and `isReading` is true.
  const isReading = [tasks, graphs, creatives, runs, lastRuns, people].some(
    ({ isLoading, isPlaceholderData, isFetching }) => isLoading || (isPlaceholderData && isFetching),
  )
  return { groups: offers(step, known, { ...acts, goOn }), isReading: isReading || typed !== asked }
}
