// In charge of naming files of a run to the service for an export, and of finding the same files in the service's plan of it. Pure.
import type { ExportPlan } from '@atelier/contract/exports.ts'
import type { Output } from './outputs.ts'

/**
 * The variants that the user has chosen, by the keys of the outputs; null if the user chose that the file has no variant.
 * An output without an entry gets the variant of the run if the task has it, or else that of the next planned name that is free.
 */
export type Variants = ReadonlyMap<string, number | null>

/**
 * The body of an export. It has an `index` only where an item has several files, because a process of an older version, which may
 * answer while the service is upgraded, refuses this member.
 */
export const exportBody = (taskId: string, outputs: readonly Output[], variants: Variants) => ({
  task_id: taskId,
  outputs: outputs.map(({ key, node, port, item, index }) => {
    const variant = variants.get(key)
    return {
      ...{ node_id: node, port, item },
      ...(index === null ? {} : { index }),
      ...(variant === undefined ? {} : { variation_num: variant }),
    }
  }),
})

type Planned = Pick<ExportPlan['files'][number], 'node_id' | 'port' | 'item' | 'index'>

/** Whether the service's plan means this output. For an item with a single file the plan may have an index that the output has not. */
export const isPlanned = (output: Output, { node_id, port, item, index }: Planned): boolean =>
  output.node === node_id &&
  output.port === port &&
  output.item === item &&
  (output.index === null || output.index === index)
