import { css } from "lit";

/**
 * The signs of a formula that Chromium does not draw by itself: it knows neither `menclose` nor wide accents. Temml marks them with
 * these attributes and classes; its own stylesheet (Temml-Local.css) also has rules for other browsers, and fonts. Colours are those
 * of the text.
 */
export const formulaSigns = css`
  /* A system's own colours would take away backgrounds, and put one behind each accent. */
  math {
    forced-color-adjust: preserve-parent-color;
  }
  /* A line in the middle of a gradient runs from corner to corner, across its direction. */
  menclose,
  .tml-cancelto {
    --up: linear-gradient(
      to bottom right,
      transparent calc(50% - 0.04em),
      currentColor 0 calc(50% + 0.04em),
      transparent 0
    );
    --down: linear-gradient(
      to top right,
      transparent calc(50% - 0.04em),
      currentColor 0 calc(50% + 0.04em),
      transparent 0
    );
    print-color-adjust: exact;
  }
  menclose {
    position: relative;
    padding: 0.1em 0;
  }
  menclose[notation="top"] {
    border-top: 0.065em solid;
  }
  menclose[notation="bottom"] {
    border-bottom: 0.065em solid;
  }
  menclose[notation="box"] {
    border: 1px solid;
    padding: 0.25em;
  }
  menclose[notation="circle"] {
    border: 0.065em solid;
    border-radius: 50%;
    padding: 0.25em;
  }
  menclose[notation="actuarial"] {
    border: solid;
    border-width: 0.065em 0.065em 0 0;
  }
  menclose[notation="updiagonalstrike"] {
    background: var(--up);
  }
  menclose[notation="downdiagonalstrike"] {
    background: var(--down);
  }
  menclose[notation="updiagonalstrike downdiagonalstrike"] {
    background: var(--up), var(--down);
  }
  menclose[notation="horizontalstrike"] {
    background: linear-gradient(currentColor 0 0) 0 55% / 100% 0.065em no-repeat;
  }
  menclose[notation="phasorangle"] {
    border-bottom: 0.065em solid;
    padding-left: 0.6em;
    background: var(--up) 0 0 / 0.6em 100% no-repeat;
  }
  menclose[notation="longdiv"] {
    border-top: 0.065em solid;
    padding: 0.1em 0.2em 0.2em 0.45em;
  }
  /* The right side of an ellipse. */
  .longdiv-arc {
    position: absolute;
    inset: -0.065em auto 0.1em -0.4em;
    width: 0.7em;
    box-sizing: border-box;
    border: 0.065em solid;
    border-radius: 70%;
    clip-path: inset(0 0 0 0.4em);
  }
  /* An arrow of its own lies over the term that it cancels. */
  .menclose {
    position: relative;
  }
  .tml-cancelto {
    position: absolute;
    inset: 0;
    background: var(--up);
  }
  .tml-hat-1 {
    transform: scaleX(1.9);
  }
  .tml-hat-2 {
    transform: scaleX(3.9);
  }
  .tml-hat-3 {
    transform: scaleX(5.8);
  }
  .tml-hat-4 {
    transform: scaleX(7.8);
  }
  .tml-tilde-2 {
    transform: scale(2, 1.1);
  }
  .tml-tilde-3 {
    transform: scale(3, 1.1);
  }
  .tml-tilde-4 {
    transform: scale(4, 1.1);
  }
  /* Fonts have it small and raised, and an exponent is both already. */
  .tml-prime {
    math-depth: 0;
    transform: translateY(0.3em);
  }
  /* Letters in italics lean to the right: their accents and exponents give way. */
  .chr-sml {
    transform: translateX(0.07em);
  }
  .chr-med {
    transform: translateX(0.14em);
  }
  .chr-lrg {
    transform: translateX(0.21em);
  }
  .tml-sml-pad {
    padding-left: 0.05em;
  }
  .tml-med-pad {
    padding-left: 0.1em;
  }
  .tml-lrg-pad {
    padding-left: 0.15em;
  }
`;
