// In charge of the row of buttons that answer a gate. Short messages appear above it: one about an answer that did not arrive must not
// cover the button that sends it again.
import { type ReactNode, useLayoutEffect, useRef } from 'react'

export function GateFoot({ children }: { children: ReactNode }) {
  const foot = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const one = foot.current
    if (!one) return
    const { style } = document.documentElement
    const watch = new ResizeObserver(() => style.setProperty('--gate-foot', `${one.offsetHeight}px`))
    watch.observe(one)
    return () => {
      watch.disconnect()
      style.removeProperty('--gate-foot')
    }
  }, [])
  return (
    <footer ref={foot} className="gate-foot">
      {children}
    </footer>
  )
}
