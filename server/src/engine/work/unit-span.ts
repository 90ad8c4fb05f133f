// In charge of describing a unit by the attributes of the trace span of its call. Pure.
import type { NewSpan } from '../../platform/tracing/spans.ts'
import type { UnitState } from '../model/units.ts'

export const unitSpan = (runId: string, { node, position }: UnitState, nodeType: string): NewSpan => ({
  kind: 'internal',
  attributes: {
    'atelier.run.id': runId,
    'atelier.node.id': node,
    'atelier.node.type': nodeType,
    ...(position === null ? {} : { 'atelier.node.item': position }),
  },
})
