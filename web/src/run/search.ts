// In charge of reading the search parameters of the run pages; invalid parameters are ignored. Pure.

/** `node`: the id of the selected node; `with`: the id of the run to compare with; `view` is `edit` if the editor is shown. */
export type RunSearch = { node?: string; with?: string; view?: 'edit' }
/** `q`: a part of the name of the graph. */
export type RunsSearch = { q?: string; status?: string; graph?: string; task?: string; owner?: string; deleted?: 'yes' }

const text = <K extends string>(raw: Record<string, unknown>, name: K): Partial<Record<K, string>> => {
  const value = raw[name]
  const found: Partial<Record<K, string>> = {}
  if (typeof value === 'string' && value !== '') found[name] = value
  return found
}

export const readRunSearch = (raw: Record<string, unknown>): RunSearch => ({
  ...text(raw, 'node'),
  ...text(raw, 'with'),
  ...(raw.view === 'edit' ? { view: raw.view } : {}),
})

export const readRunsSearch = (raw: Record<string, unknown>): RunsSearch => ({
  ...text(raw, 'q'),
  ...text(raw, 'status'),
  ...text(raw, 'graph'),
  ...text(raw, 'task'),
  ...text(raw, 'owner'),
  ...(raw.deleted === 'yes' ? { deleted: raw.deleted } : {}),
})
