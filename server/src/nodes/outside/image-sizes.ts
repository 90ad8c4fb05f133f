// In charge of the sizes that image models accept, if known, so that a call that the provider would refuse is not sent. Pure.
// Source for OpenAI's models: the type definitions of npm openai 7.57.0 and the image guide, read in November 2026.

/**
 * A regular expression for sizes: `auto`, or width x height in pixels. Whether a model accepts the size is checked by `sizeFault`
 * if the sizes of the model are known, and otherwise by the provider.
 */
export const imageSizePattern = '^(auto|[1-9]\\d{1,4}x[1-9]\\d{1,4})$'

/** The sizes that models of the families `gpt-image-1` and `chatgpt-image` accept. */
const fixed = ['1024x1024', '1024x1536', '1536x1024']
const flexible = { step: 16, ratio: 3, edge: 3840, least: 655_360, most: 8_294_400 } as const

/** Why the model does not accept the size, and which sizes it accepts; null if it accepts the size or its sizes are not known. */
export function sizeFault(model: string, size: string): string | null {
  if (size === 'auto') return null
  const refusal = (takes: string): string => `The model ${model} does not take the size ${size}. ${takes}`
  if (/^(?:gpt-image-1|chatgpt-image)/.test(model)) {
    return fixed.includes(size) ? null : refusal(`Take ${fixed.join(', ')} or auto.`)
  }
  if (!model.startsWith('gpt-image-2')) return null
  const [width = 0, height = 0] = size.split('x').map(Number)
  const { step, ratio, edge, least, most } = flexible
  if (width % step !== 0 || height % step !== 0) {
    const near = (side: number): number => Math.max(step, Math.round(side / step) * step)
    return refusal(`Width and height must be multiples of ${step}, such as ${near(width)}x${near(height)}.`)
  }
  if (Math.max(width, height) > Math.min(width, height) * ratio) {
    return refusal(`The longer side may be ${ratio} times the shorter at most.`)
  }
  if (Math.max(width, height) > edge) return refusal(`A side may have ${edge} pixels at most.`)
  if (width * height < least) return refusal('It needs at least 655,360 pixels in all: 1024x1024, or 768x1024.')
  if (width * height > most) return refusal('It makes at most 8,294,400 pixels in all: 3840x2160, or 2160x3840.')
  return null
}
