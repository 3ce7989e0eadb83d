/** The certificate that the controller's servers show. */
package dev.waymark.controller.certificates;
