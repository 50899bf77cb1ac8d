/**
 * Mantine in our density. Its colours stand in mantine.css: under a strict policy no script makes
 * styles, so nothing that is a variable can be set here.
 */

import { createTheme } from "@mantine/core";

/** The cross of a dialog shows no word. */
const CLOSE = { "aria-label": "Close" };

/** The theme of the page: 13 px text, small radii, one accent. */
export const theme = createTheme({
  primaryColor: "teal",
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "13px", lg: "15px", xl: "18px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  defaultRadius: 6,
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "compact-sm" } },
    TextInput: { defaultProps: { size: "xs" } },
    Textarea: { defaultProps: { size: "xs" } },
    Select: { defaultProps: { size: "xs" } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    },
    SegmentedControl: { defaultProps: { size: "xs" } },
    // a name is allowed on what has a role only
    Loader: { defaultProps: { role: "status" } },
    Modal: { defaultProps: { lockScroll: false, closeButtonProps: CLOSE } },
    Drawer: { defaultProps: { lockScroll: false, closeButtonProps: CLOSE } },
  },
});
