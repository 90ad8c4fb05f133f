// In charge of the buttons that zoom in, zoom out, and show the whole graph, for users without a mouse wheel.
import { ActionIcon } from '@mantine/core'
import { Panel, useReactFlow } from '@xyflow/react'
import { Icon } from '../ui/icons.tsx'
import { NodeIcon } from './node-icons.tsx'
import { useFit } from './use-fit.ts'

export function ZoomTools() {
  const flow = useReactFlow()
  const fit = useFit()
  return (
    <Panel position="bottom-left" className="zoom-tools">
      <ActionIcon aria-label="Nearer" onClick={() => void flow.zoomIn()}>
        <Icon name="plus" />
      </ActionIcon>
      <ActionIcon aria-label="Farther" onClick={() => void flow.zoomOut()}>
        <NodeIcon name="minus" />
      </ActionIcon>
      <ActionIcon aria-label="See the whole graph" onClick={() => fit({ padding: 0.1 })}>
        <NodeIcon name="fit" />
      </ActionIcon>
    </Panel>
  )
}
