// In charge of parts of a page whose scripts are loaded when the part is first shown.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { isReachable } from '../lib/reachable.ts'
import { goneLabel, goneWords } from './gone-scripts.ts'
import { Failed, Loading } from './states.tsx'

/**
 * `gone`: the part could not be loaded, although the service can be reached. An update of the service has removed the files of the
 * version that the page is of, or the browser does not load again what has failed once. Only a reload of the page helps.
 */
type State = 'loading' | 'loaded' | 'unreachable' | 'gone'

type Options<Props> = { loading?: ReactNode; failedIn?: (content: ReactNode, props: Props) => ReactNode }

/**
 * Makes a component for a part of a page. `load` loads it when it is first shown, or when `preload` is called, which never fails. If
 * it cannot be loaded, it says so in its own place, and what helps; the rest of the page, which may have unsaved changes, stays.
 * `what` names the part, as in “the inspector”. `loading`: what is shown until it is loaded. `failedIn` puts a dialog, for example,
 * around the error.
 */
export function lazyPart<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
  { loading: waiting = <Loading what={what} />, failedIn = (content) => content }: Options<Props> = {},
) {
  let loaded: ComponentType<Props> | null = null
  let loading: Promise<unknown> | null = null
  /** Resolves to whether the part is loaded. */
  const preload = async (): Promise<boolean> => {
    if (loaded !== null) return true
    loading ??= load()
      .then((part) => {
        loaded = part
      })
      .catch(() => undefined)
      .finally(() => {
        loading = null
      })
    await loading
    return loaded !== null
  }
  function Part(props: Props) {
    const [state, setState] = useState<State>(loaded === null ? 'loading' : 'loaded')
    const start = async () => {
      setState('loading')
      setState((await preload()) ? 'loaded' : (await isReachable()) ? 'gone' : 'unreachable')
    }
    useEffect(() => {
      if (state === 'loading') void start()
    }, [])
    const Loaded = loaded
    if (Loaded) return <Loaded {...props} />
    if (state === 'gone') {
      const error = new Error(goneWords(what))
      return failedIn(<Failed error={error} retry={() => location.reload()} label={goneLabel} />, props)
    }
    if (state === 'unreachable') {
      const error = new Error(`It was not possible to load ${what}. Check your connection.`)
      return failedIn(<Failed error={error} retry={() => void start()} />, props)
    }
    return waiting
  }
  return Object.assign(Part, { preload })
}
