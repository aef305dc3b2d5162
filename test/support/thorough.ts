/** Whether all kills, seeds and themes are wanted: `npm test -- --thorough`. */
export const THOROUGH = process.env["HASP_TEST_THOROUGH"] === "1";
