// In charge of where short messages are shown: over everything else, in a dialog that nothing outside of is seen over.
import { Notifications } from '@mantine/notifications'
import { useTopLayer } from './top-layer.ts'

export function ToastHost() {
  const top = useTopLayer()
  const place = top === null ? {} : { portalProps: { target: top } }
  // Mantine does not follow its target: it is mounted anew, with the messages there are.
  return (
    <Notifications
      key={top === null ? 'page' : 'dialog'}
      position="bottom-center"
      limit={3}
      containerWidth={460}
      zIndex={400}
      {...place}
    />
  )
}
