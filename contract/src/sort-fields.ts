// In charge of the fields by which a feed can be sorted: the server's SQL, the API and the board's menu use the same table.

const feeds = ['board', 'deleted'] as const
export type Feed = (typeof feeds)[number]

export type SortField = {
  name: string
  label: string
  /** Whether the field can be null; nulls come last in both directions. */
  nullable: boolean
  feeds: readonly Feed[]
  /**
   * The direction of sorting when a user chooses the field: 1 is ascending, -1 descending. Most lists begin with the newest or
   * largest value, but deadlines with the nearest, priorities with the most urgent, and names with A.
   */
  first: 1 | -1
}

export const sortFields = [
  { name: 'created_at', label: 'Created', nullable: false, feeds, first: -1 },
  { name: 'updated_at', label: 'Changed', nullable: false, feeds, first: -1 },
  { name: 'deleted_at', label: 'Deleted', nullable: false, feeds: ['deleted'], first: -1 },
  { name: 'number', label: 'Number', nullable: false, feeds, first: -1 },
  { name: 'name', label: 'Name', nullable: false, feeds, first: 1 },
  { name: 'status', label: 'Status', nullable: false, feeds, first: -1 },
  { name: 'priority', label: 'Priority', nullable: true, feeds, first: 1 },
  { name: 'deadline_at', label: 'Deadline', nullable: true, feeds, first: 1 },
  { name: 'launched_at', label: 'Launched', nullable: true, feeds, first: -1 },
  { name: 'completed_at', label: 'Completed', nullable: true, feeds, first: -1 },
  { name: 'creation_points', label: 'Creation points', nullable: true, feeds, first: -1 },
] as const satisfies readonly SortField[]

export type SortName = (typeof sortFields)[number]['name']
export type Sort = { field: SortName; direction: 1 | -1 }

/** The default order shows the newest tasks first: the board sorts by creation, the feed of deleted tasks by deletion. */
export const defaultSort: Record<Feed, Sort> = {
  board: { field: 'created_at', direction: -1 },
  deleted: { field: 'deleted_at', direction: -1 },
}
