// In charge of saving the name and the description of a graph, beside its nodes, which the editor saves.
import type { Graph } from '../graph/queries.ts'
import { callTagged } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'

export const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'if-match': etag })

export type About = { name?: string; description?: string }

/**
 * Saves the name or the description of the graph. If others have saved the graph meanwhile, but have not changed what is saved here,
 * it is saved beside their changes. `next` is the etag for the next save of this page: it then stays the old one, because the page
 * does not have the changes of the others, which its next save would undo.
 */
export async function patchAbout(graph: Graph, body: About, etag: string | null) {
  const params = { graph_id: graph.id }
  const send = (etag: string | null) => callTagged('patchGraph', { params, body, headers: ifMatch(etag) })
  try {
    const saved = await send(etag)
    return { saved, next: saved.etag }
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error
    const now = await callTagged('getGraph', { params })
    const isSame = (['name', 'description'] as const).every(
      (part) => body[part] === undefined || now.data[part] === graph[part],
    )
    if (!isSame) throw error
    return { saved: await send(now.etag), next: etag }
  }
}
