// In charge of showing a state by a word, an icon and a colour, so that users who cannot tell colours apart recognize it too.
import type { NodeStatus, RunStatus } from '@atelier/contract/enums.ts'
import { Icon } from '../ui/icons.tsx'
import { NodeIcon } from './node-icons.tsx'
import './status.css'
import { nodeLooks, runLooks } from './words.ts'

type Looks = (typeof nodeLooks)[NodeStatus]

/** `plain`: the mark is drawn without a background. */
export const StatusMark = ({ status, plain = false }: { status: NodeStatus; plain?: boolean }) => (
  <Mark look={nodeLooks[status]} plain={plain} status={status} />
)

export const RunMark = ({ status }: { status: RunStatus }) => (
  <Mark look={runLooks[status]} plain={false} status={status} />
)

function Mark({ look, plain, status }: { look: Looks; plain: boolean; status: string }) {
  const { icon, label, tone } = look
  return (
    <span className={plain ? 'status' : 'mark status'} data-tone={tone} data-status={status}>
      {'own' in icon ? <NodeIcon name={icon.own} size={13} /> : <Icon name={icon.shared} size={13} />}
      {label}
    </span>
  )
}
