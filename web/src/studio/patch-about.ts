// In charge of saving the name and the description of a graph, beside its nodes, which the editor saves.
import type { Graph } from '../graph/queries.ts'
import { callTagged } from '../lib/api.ts'
import { ifMatch, mayRepeat, writeChecked } from '../lib/conflict.ts'
import { hasCode } from '../lib/errors.ts'

export type About = { name?: string; description?: string }

/**
 * Saves the name or the description of the graph. If others have saved the graph meanwhile, but have not changed what is saved here,
 * it is saved beside their changes. `next` is the etag for the next save of this page: it then stays the old one, because the page
 * does not have the changes of the others, which its next save would undo.
 */
export async function patchAbout(graph: Graph, body: About, etag: string | null) {
  const params = { graph_id: graph.id }
  const write = (etag: string | null) => callTagged('patchGraph', { params, body, headers: ifMatch(etag) })
  try {
    const saved = await write(etag)
    return { saved, next: saved.etag }
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error
    const check = (now: Graph) => {
      if (!mayRepeat(graph, now, body)) throw error
    }
    const saved = await writeChecked({ read: () => callTagged('getGraph', { params }), check, write })
    return { saved, next: etag }
  }
}
